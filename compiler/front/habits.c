/* SPDX-License-Identifier: MIT */
#include "front/habits.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/*   theirs   in lower case, without `_` and `-`, apart by blanks
 *   ours     the word for it, or NULL; an argument's row holds where the callee has that argument
 *   help     the sentence; NULL: "it is called `ours` here" */
typedef struct Habit {
	HabitPlace place;
	const char *theirs, *ours, *help;
} Habit;

static const Habit habits[] = {
        {HABIT_STATEMENT, "elif", NULL, "write `else if`"},
        {HABIT_STATEMENT, "while", NULL,
         "the loops are `for name in list { ... }` and `repeat count { ... }`"},
        {HABIT_STATEMENT, "def fn func function class", NULL, "write `block name(a, b) { ... }`"},
        {HABIT_STATEMENT, "let var const", NULL, "a name is given a value by `name = value`"},
        {HABIT_STATEMENT, "import include", NULL, "write `use \"file.net\"`"},
        {HABIT_STATEMENT, "parameter weight variable", NULL,
         "a trained tensor is declared so: param w: f32[16, 8] init normal(0.02)"},
        {HABIT_STATEMENT, "print", NULL, "`nnc --print=layers` shows every shape"},

        {HABIT_CALL, "nn torch keras tf jax jnp flax f layers", NULL,
         "layers have no prefix here: x -> conv(16, 3) -> relu"},
        {HABIT_CALL, "embed emb tokenembedding", "embedding", NULL},
        {HABIT_CALL, "linear fc fullyconnected innerproduct", "dense", NULL},
        {HABIT_CALL, "conv2d convolution convolution2d", "conv", NULL},
        {HABIT_CALL, "convolution1d", "conv1d", NULL},
        {HABIT_CALL, "convolution3d", "conv3d", NULL},
        {HABIT_CALL, "convtranspose3d conv3dtranspose", "conv_transpose3d", NULL},
        {HABIT_CALL, "convtranspose convtranspose2d conv2dtranspose deconv deconvolution", "conv_transpose",
         NULL},
        {HABIT_CALL, "detach stopgrad", "stop_gradient", NULL},
        {HABIT_CALL, "randn randnlike rand randlike randomnormal gaussiannoise", NULL,
         "it is written: noise(x), of x's shape, or noise(x, uniform)"},
        {HABIT_CALL, "zeroslike", NULL, "it is written: zeros(x.shape)"},
        {HABIT_CALL, "oneslike", NULL, "it is written: ones(x.shape)"},
        {HABIT_CALL, "sine", "sin", NULL},
        {HABIT_CALL, "cosine", "cos", NULL},
        {HABIT_CALL, "tensorsplit", "split", NULL},
        {HABIT_CALL, "vstack", "stack", NULL},
        {HABIT_CALL, "depthwiseconv2d depthwiseconv", NULL,
         "it is written: x -> conv(x.channels, 3, groups = x.channels)"},
        {HABIT_CALL, "separableconv2d", NULL,
         "it is written: x -> conv(x.channels, 3, groups = x.channels) -> conv(16, 1)"},
        {HABIT_CALL, "maxpool2d maxpooling2d maxpooling", "maxpool", NULL},
        {HABIT_CALL, "avgpool2d averagepooling2d averagepool avgpooling", "avgpool", NULL},
        {HABIT_CALL, "maxpool1d maxpooling1d", "maxpool",
         "pools are of images: x -> reshape((64, 1, 8)) -> maxpool((2, 1)), of [64, 8]"},
        {HABIT_CALL, "avgpool1d averagepooling1d", "avgpool",
         "pools are of images: x -> reshape((64, 1, 8)) -> avgpool((2, 1)), of [64, 8]"},
        {HABIT_CALL, "maxpooling3d", "maxpool3d", NULL},
        {HABIT_CALL, "averagepool3d averagepooling3d", "avgpool3d", NULL},
        {HABIT_CALL, "upsampling3d", "upsample3d", NULL},
        {HABIT_CALL, "dropout1d dropout2d dropout3d spatialdropout2d featuredropout", "dropout",
         "whole channels are dropped so: x*dropout(ones(x.channels), 0.2)"},
        {HABIT_CALL, "alphadropout", "dropout", NULL},
        {HABIT_CALL, "globalaveragepooling2d globalavgpool gap", NULL, "it is written: avgpool(global)"},
        {HABIT_CALL, "adaptiveavgpool2d adaptiveavgpool adaptiveaveragepool", "adaptive_avgpool",
         "it is written: adaptive_avgpool(7), or avgpool(global) for one pixel"},
        {HABIT_CALL, "globalmaxpooling2d globalmaxpool adaptivemaxpool2d", NULL,
         "it is written: max(axis = (0, 1))"},
        {HABIT_CALL, "batchnormalization bn syncbatchnorm", "batchnorm", NULL},
        {HABIT_CALL, "layernormalization ln", "layernorm", NULL},
        {HABIT_CALL, "groupnormalization gn", "groupnorm", NULL},
        {HABIT_CALL, "instancenorm1d instancenorm2d instancenormalization", "instancenorm", NULL},
        {HABIT_CALL, "rmsnormalization", "rmsnorm", NULL},
        {HABIT_CALL, "upsampling2d upsamplingnearest2d interpolate resize", "upsample", NULL},
        {HABIT_CALL, "upsamplingbilinear2d bilinearupsample", "upsample",
         "it is written: upsample(2, bilinear)"},
        {HABIT_CALL, "bilinear", NULL,
         "images: upsample(2, bilinear); a form in a and b[m]: w = a -> dense(n*m) -> reshape((n, m)), "
         "y = sum(w*b, axis = 1)"},
        {HABIT_CALL, "pixelshuffle depthtospace", NULL,
         "by 2 it is written: x -> reshape((h, w, c, 2, 2)) -> transpose((0, 3, 1, 4, 2)) -> reshape((2*h, "
         "2*w, c))"},
        {HABIT_CALL, "pixelunshuffle spacetodepth", NULL,
         "by 2 it is written: x -> reshape((h, 2, w, 2, c)) -> transpose((0, 2, 4, 1, 3)) -> reshape((h, w, "
         "4*c))"},
        {HABIT_CALL, "unfold im2col extractpatches", NULL,
         "patches of 4x4 side by side: x -> reshape((h, 4, w, 4, c)) -> transpose((0, 2, 4, 1, 3)) -> "
         "reshape((h*w, 16*c))"},
        {HABIT_CALL, "take takealongaxis takealongdim indexselect", "gather", NULL},
        {HABIT_CALL, "select ifelse", "where", NULL},
        {HABIT_CALL, "onehot", "one_hot", NULL},
        {HABIT_CALL, "tril triu", NULL, "it is written: causal_mask(n), 1 up to the diagonal and 0 after it"},
        {HABIT_CALL, "identitymatrix diag", "eye", NULL},
        {HABIT_CALL, "linspace", NULL, "it is written: arange(from, to, step)"},
        {HABIT_CALL, "chunk unstack unbind", "split", NULL},
        {HABIT_CALL, "constantof array fromlist", "tensor", NULL},
        {HABIT_CALL, "localresponsenorm localresponsenormalization", "lrn", NULL},
        {HABIT_CALL,
         "crossentropyloss categoricalcrossentropy sparsecategoricalcrossentropy nllloss "
         "softmaxcrossentropy "
         "softmaxcrossentropywithlogits sparsesoftmaxcrossentropywithlogits",
         "cross_entropy", "it is written: cross_entropy(logits, label), of scores without a softmax"},
        {HABIT_CALL, "last lastoutput laststate laststep", NULL,
         "the last place alone of a sequence [10, features]: x -> slice(0, 9, 1) -> flatten"},
        {HABIT_CALL, "confusionmatrix", NULL,
         "the trainer's `eval` counts each class, and `eval --confusion FILE` which was taken for which"},
        {HABIT_CALL, "diceloss softdice jaccardloss", NULL,
         "it can be a block of formulas: block dice(p, y) { return 1 - 2*sum(p*y)/(sum(p) + sum(y) + 1) }"},
        {HABIT_CALL, "l2 l2loss l2regularization weightdecay", NULL,
         "weights are kept small by `decay` in the recipe: optimizer adamw(decay = 0.01)"},
        {HABIT_CALL, "jaccard jaccardindex jaccardscore meaniou miou", "iou", NULL},
        {HABIT_CALL, "calibrationerror expectedcalibrationerror", "ece", NULL},
        {HABIT_CALL, "f1score", "f1", NULL},
        {HABIT_CALL, "auroc rocauc rocaucscore", "auc", NULL},
        {HABIT_CALL, "averageprecisionscore auprc", "average_precision", NULL},
        {HABIT_CALL, "rootmeansquarederror", "rmse", NULL},
        {HABIT_CALL, "meanabsoluteerror", "mae", NULL},
        {HABIT_CALL, "r2score rsquared", "r2", NULL},
        {HABIT_CALL, "mseloss meansquarederror", "mse", NULL},
        {HABIT_CALL, "l1loss", "l1", NULL},
        {HABIT_CALL, "bceloss bcewithlogits bcewithlogitsloss binarycrossentropy sigmoidcrossentropy", "bce",
         "it is written: bce(logits, y), of scores without a sigmoid, y being 0 or 1"},
        {HABIT_CALL, "smoothl1loss smoothl1 huberloss", "huber", NULL},
        {HABIT_CALL, "kldivloss kldiv kldivergence", "kl", "it is written: kl(logits, probabilities)"},
        {HABIT_CALL, "focalloss", "focal", NULL},
        {HABIT_CALL, "hingeloss", "hinge", NULL},
        {HABIT_CALL, "infonce ntxent cliploss contrastiveloss", "contrastive", NULL},
        {HABIT_CALL, "swish", "silu", NULL},
        {HABIT_CALL, "logistic", "sigmoid", NULL},
        {HABIT_CALL, "prelu", NULL, "there is `leaky_relu`, whose slope is not trained"},
        {HABIT_CALL, "relu6", NULL, "it is written: clip(0, 6)"},
        {HABIT_CALL, "selu mish hardswish hardsigmoid hardtanh logsigmoid", NULL,
         "it can be a block of formulas: block mish(x) { return x*tanh(softplus(x)) }"},
        {HABIT_CALL, "activation", NULL, "an activation is a call of its own: x -> dense(10) -> relu"},
        {HABIT_CALL, "lstm gru rnn simplernn lstmcell grucell", NULL,
         "`lstm` and `gru` are blocks that come with nnc: use <recurrent>"},
        {HABIT_CALL,
         "attention multiheadattention multiheaddotproductattention scaleddotproductattention transformer "
         "transformerencoder transformerencoderlayer transformerblock mha",
         NULL, "`attention` and `transformer` are blocks that come with nnc: use <transformer>"},
        {HABIT_CALL, "sequential model", NULL,
         "layers are chained by arrows: x -> conv(16, 3) -> relu -> flatten"},
        {HABIT_CALL, "lambda", NULL, "a function is a block: block twice(x) { return 2*x }"},
        {HABIT_CALL, "identity", NULL, "leave it out"},
        {HABIT_CALL, "rope rotary rotaryembedding rotarypositionalembedding applyrotary applyrotaryemb", NULL,
         "it is written: t = reshape(arange(n), (n, 1))/10000**(arange(d//2)*2/d), (a, b) = q -> split(2), "
         "q = concat(a*cos(t) - b*sin(t), b*cos(t) + a*sin(t)), and so k"},
        {HABIT_CALL, "gqa mqa groupedquery groupedqueryattention multiqueryattention repeatkv", NULL,
         "each of the groups of keys [groups, n, d], and of values, is repeated: k = reshape(reshape(k, "
         "(groups, 1, n, d))*ones(1, times, 1, 1), (groups*times, n, d))"},
        {HABIT_CALL, "crossattention multiheadcrossattention encoderdecoderattention", NULL,
         "queries are of one sequence, keys and values of the other: q = x -> dense(d), (k, v) = y -> "
         "dense(2*d) -> split(2), z = matmul(softmax(matmul(q, k -> transpose((1, 0)))/sqrt(d)), v)"},
        {HABIT_CALL, "mask attentionmask attnmask padding paddingmask keypaddingmask", NULL,
         "scores [heads, n, n] of places to leave out, where an input mask: u8[n] is not 1: "
         "where(reshape(mask, (1, 1, n)) == 1, scores, -1e9); `causal_mask` is for later ones, `pad` for "
         "borders"},
        {HABIT_CALL, "maskedfill", NULL,
         "it is written: where(mask == 1, -1e9, x), of x where the mask is not 1"},
        {HABIT_CALL, "tile expand broadcast broadcastto repeatinterleave", NULL,
         "x [1, n, d] is repeated by a product: x*ones(times, 1, 1); `+ - * /` repeat dimensions of 1 by "
         "themselves"},
        {HABIT_CALL, "view unsqueeze squeeze expanddims", "reshape", NULL},
        {HABIT_CALL, "permute", "transpose", NULL},
        {HABIT_CALL, "t mt", "transpose", "it is written: x -> transpose((1, 0)), the order of its axes"},
        {HABIT_CALL, "cat concatenate hstack", "concat", NULL},
        {HABIT_CALL, "zeropadding2d zeropad2d zeropad", "pad", NULL},
        {HABIT_CALL, "einsum bmm mm dot", "matmul", NULL},
        {HABIT_CALL, "add", NULL, "it is written: a + b"},
        {HABIT_CALL, "sub subtract", NULL, "it is written: a - b"},
        {HABIT_CALL, "mul multiply", NULL, "it is written: a * b"},
        {HABIT_CALL, "div divide", NULL, "it is written: a / b"},
        {HABIT_CALL, "maximum reducemax amax", "max", NULL},
        {HABIT_CALL, "minimum reducemin amin", "min", NULL},
        {HABIT_CALL, "reducemean", "mean", NULL},
        {HABIT_CALL, "reducesum", "sum", NULL},
        {HABIT_CALL, "var variance", NULL, "it is a formula: mean((x - mean(x))**2)"},
        {HABIT_CALL, "std stddev", NULL, "it is a formula: sqrt(mean((x - mean(x))**2))"},
        {HABIT_CALL, "clamp clipbyvalue", "clip", NULL},
        {HABIT_CALL, "rescaling rescale", "scale", NULL},
        {HABIT_CALL, "argmin", NULL, "it is written: argmax(-x)"},
        {HABIT_CALL, "cast astype float", NULL,
         "leave it out: operators compute with u8 and i32 as f32; f32(x) keeps what is computed from x in 32 "
         "bits"},
        {HABIT_CALL, "parameter weight variable", NULL,
         "a trained tensor of its own is declared: param w: f32[16, 8] init normal(0.02)"},

        {HABIT_ARGUMENT, "outchannels numfilters channels", "filters", NULL},
        {HABIT_ARGUMENT, "kernelsize kernel ksize filtersize poolsize window windowsize", "size", NULL},
        {HABIT_ARGUMENT, "strides", "stride", NULL},
        {HABIT_ARGUMENT, "padding", "pad", NULL},
        {HABIT_ARGUMENT, "dilationrate", "dilation", NULL},
        {HABIT_ARGUMENT, "outfeatures hidden outputdim", "units", NULL},
        {HABIT_ARGUMENT, "usebias", "bias", NULL},
        {HABIT_ARGUMENT, "kernelinitializer initializer weightinit", "init", NULL},
        {HABIT_ARGUMENT, "lr learningrate", "rate", NULL},
        {HABIT_ARGUMENT, "p prob dropprob", "rate", NULL},
        {HABIT_ARGUMENT, "keepprob", "rate", "`rate` is the part that is dropped: rate = 1 - keep_prob"},
        {HABIT_ARGUMENT, "weightdecay wd l2", "decay", NULL},
        {HABIT_ARGUMENT, "betas", "beta1", "they are two arguments: beta1 = 0.9, beta2 = 0.999"},
        {HABIT_ARGUMENT, "b1 momentum", "beta1", NULL},
        {HABIT_ARGUMENT, "b2", "beta2", NULL},
        {HABIT_ARGUMENT, "eps", "epsilon", NULL},
        {HABIT_ARGUMENT, "rho decayrate", "alpha", NULL},
        {HABIT_ARGUMENT, "alpha decayrate", "rho", NULL},
        {HABIT_ARGUMENT, "negativeslope alpha", "slope", NULL},
        {HABIT_ARGUMENT, "dim dims axes", "axis", NULL},
        {HABIT_ARGUMENT, "perm dims order", "axes", NULL},
        {HABIT_ARGUMENT, "numembeddings vocabsize inputdim", "count", NULL},
        {HABIT_ARGUMENT, "embeddingdim outputdim", "dim", NULL},
        {HABIT_ARGUMENT, "min minvalue", "lo", NULL},
        {HABIT_ARGUMENT, "max maxvalue", "hi", NULL},
        {HABIT_ARGUMENT, "newshape targetshape size", "shape", NULL},
        {HABIT_ARGUMENT, "stepsize", "every", NULL},
        {HABIT_ARGUMENT, "labelsmoothing", "smoothing", NULL},
        {HABIT_ARGUMENT, "target targets", "labels", NULL},
        {HABIT_ARGUMENT, "activation act", NULL,
         "an activation is a call of its own: x -> dense(10) -> relu"},
        {HABIT_ARGUMENT,
         "inchannels infeatures numfeatures inputdim inputsize inputshape batchinputshape normalizedshape",
         NULL, "leave it out: it is known from what comes in"},
        {HABIT_ARGUMENT, "keepdim", "keepdims", NULL},
        {HABIT_ARGUMENT, "inplace", NULL, "leave it out: the compiler plans the memory"},
        {HABIT_ARGUMENT, "dataformat", NULL, "leave it out: images are [height, width, channels]"},
        {HABIT_ARGUMENT, "paddingmode", NULL, "leave it out: borders are zeros"},
        {HABIT_ARGUMENT, "affine elementwiseaffine trackrunningstats", NULL,
         "leave it out: weight, bias and running statistics are always there"},
        {HABIT_ARGUMENT, "startdim enddim", NULL,
         "leave it out: shapes are of one sample, without the batch"},
        {HABIT_ARGUMENT, "reduction", NULL, "leave it out: `loss` takes the mean over the batch"},
        {HABIT_ARGUMENT, "fromlogits", NULL, "leave it out: the scores are without a softmax"},
        {HABIT_ARGUMENT, "training", NULL, "leave it out: training and evaluation are compiled apart"},
        {HABIT_ARGUMENT, "kernelregularizer", NULL, "weight decay is the optimizer's: adamw(decay = 0.01)"},
        {HABIT_ARGUMENT, "clipnorm maxnorm clipvalue", NULL, "it is a setting of the recipe: clip 1.0"},
        {HABIT_ARGUMENT, "dtype", NULL, "the arithmetic is the recipe's: precision bf16"},
        {HABIT_ARGUMENT, "device", NULL, "the device is the compiler's: nnc --target=cuda"},

        {HABIT_NAME, "true", NULL, "it is written `true`"},
        {HABIT_NAME, "false", NULL, "it is written `false`"},
        {HABIT_NAME, "none null nil", NULL, "leave it out: arguments have defaults, and shapes no batch"},
        {HABIT_NAME, "inf infinity", NULL,
         "there is no infinity; what a mask hides is a low number: where(mask == 1, x, -1e9)"},
        {HABIT_NAME, "batch batchsize", NULL, "leave it out: shapes are of one sample, without the batch"},
        {HABIT_NAME, "xavieruniform glorotuniform glorot", "xavier", NULL},
        {HABIT_NAME, "glorotnormal", "xavier_normal", NULL},
        {HABIT_NAME, "kaiminguniform heuniform he", "kaiming", NULL},
        {HABIT_NAME, "henormal", "kaiming_normal", NULL},
        {HABIT_NAME, "randomnormal", "normal", NULL},
        {HABIT_NAME, "truncnormal", NULL, "it is written: truncated_normal(0.02)"},

        {HABIT_TYPE, "float float32 fp32 real", "f32", NULL},
        {HABIT_TYPE, "int int32 int64 i64 integer long", "i32", NULL},
        {HABIT_TYPE, "uint8 byte bool", "u8", NULL},
        {HABIT_TYPE, "float16 half f16 fp16 bfloat16 bf16 float64 double f64 fp64", NULL,
         "data is f32, and the arithmetic the recipe's: precision bf16"},
        {HABIT_TYPE, "label labels onehot categorical", NULL,
         "one class for each sample is declared so: target label: class[10]"},
        {HABIT_TYPE, "tensor", NULL, "write the type of its elements: f32[28, 28, 1]"},

        {HABIT_SETTING, "lr learning learningrate baselr", "rate",
         "it is called `rate` here: rate 0.001, or adam(rate = 0.001)"},
        {HABIT_SETTING, "batchsize bs minibatch", "batch", "it is called `batch` here: batch 128"},
        {HABIT_SETTING, "numepochs nepochs maxepochs", "epochs", "it is called `epochs` here: epochs 12"},
        {HABIT_SETTING, "iterations iters numsteps maxsteps maxiters", "steps",
         "it is called `steps` here: steps 5000"},
        {HABIT_SETTING, "optim", "optimizer", "it is called `optimizer` here: optimizer adam(rate = 0.001)"},
        {HABIT_SETTING, "momentum nesterov dampening", NULL,
         "it is an argument of the optimizer: optimizer sgd(momentum = 0.9, nesterov = true)"},
        {HABIT_SETTING, "betas beta1 beta2 eps epsilon", NULL,
         "it is an argument of the optimizer: optimizer adam(beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8)"},
        {HABIT_SETTING, "weightdecay wd l2", NULL,
         "it is an argument of the optimizer: optimizer adamw(decay = 0.01)"},
        {HABIT_SETTING,
         "schedule scheduler lrscheduler lrschedule warmup warmupsteps warmupepochs gamma stepsize", NULL,
         "the schedule stands in `rate`: rate 0.1 warmup 5ep cosine, or: rate 0.1 step(every = 30ep, gamma = "
         "0.1)"},
        {HABIT_SETTING, "loss criterion lossfn objective", NULL,
         "the loss stands in the model: loss cross_entropy(logits, label)"},
        {HABIT_SETTING, "metric metrics", NULL, "metrics stand in the model: metric accuracy(logits, label)"},
        {HABIT_SETTING, "target device gpu gpus cuda accelerator", NULL,
         "the device is the compiler's: nnc --target=cuda"},
        {HABIT_SETTING, "ranks worldsize nodes ddp distributed", NULL,
         "how many ranks there are, the start says: EXE --gpus 2, or mpirun -n 2 EXE; `nnc help ranks`"},
        {HABIT_SETTING, "dataset traindata", "data", "it is called `data` here: data mnist"},
        {HABIT_SETTING, "centercrop imagesize resizing", "resize",
         "it is written: resize keep_aspect(shorter = 256)"},
        {HABIT_SETTING, "transform transforms augmentation", "augment",
         "it is called `augment` here: augment flip, crop(pad = 4)"},
        {HABIT_SETTING, "dtype amp mixedprecision fp16 bf16", "precision",
         "it is called `precision` here: precision bf16"},
        {HABIT_SETTING, "randomseed manualseed", "seed", "it is called `seed` here: seed 1"},
        {HABIT_SETTING, "clipnorm maxnorm gradclip clipgrad clipgradnorm maxgradnorm gradientclipping",
         "clip", "it is called `clip` here: clip 1.0"},
        {HABIT_SETTING,
         "accumulation accumulationsteps gradientaccumulation gradientaccumulationsteps "
         "accumulategradbatches",
         "accumulate", "it is called `accumulate` here: accumulate 4"},
        {HABIT_SETTING, "microbatch", "chunk",
         "it is called `chunk` here, the samples computed at once: batch 1024, chunk 128"},
        {HABIT_SETTING, "labelsmoothing", NULL,
         "it stands in the model: cross_entropy(logits, label, smoothing = 0.1)"},
        {HABIT_SETTING, "shuffle", NULL, "training shuffles; `--no-shuffle` of the trainer leaves it out"},
        {HABIT_SETTING, "validationsplit valsplit holdout", NULL,
         "it is an option of the trainer: --holdout 0.1"},
        {HABIT_SETTING, "numworkers workers", NULL, "it is an option of the trainer: --workers 8"},
        {HABIT_SETTING, "threads", NULL, "it is an option of the trainer: --threads 8"},
        {HABIT_SETTING, "checkpoint save resume", NULL,
         "it is an option of the trainer: --checkpoint FILE, and --resume"},
        {HABIT_SETTING, "log logevery loginterval", NULL,
         "it is an option of the trainer: --log FILE.jsonl --log-every 100"},
        {HABIT_SETTING, "earlystop earlystopping patience", NULL,
         "it is an option of the trainer: --early-stop 5"},
        {HABIT_SETTING, "evalevery evaluateevery evalinterval", NULL,
         "it is an option of the trainer: --eval-every 2ep"},

        {HABIT_UNIT, "epoch epochs", NULL,
         "a span of epochs is written so: 5ep; `epochs` takes the number alone"},
        {HABIT_UNIT, "step steps iter iters iteration iterations", NULL,
         "a span of steps is written so: 500it; `steps` takes the number alone"},

        {HABIT_DATA, "imagenet imagefolder folder", "images", NULL},
        {HABIT_DATA, "numpy", "npy", NULL},
        {HABIT_DATA, "csv tsv tabular pandas dataframe", "table", NULL},

        {HABIT_AUGMENT, "hflip horizontalflip randomhorizontalflip", "flip", NULL},
        {HABIT_AUGMENT, "randomcrop", "crop", "it is written: crop(pad = 4)"},
        {HABIT_AUGMENT, "rotate rotation randomrotation randomaffine shear zoom scale translate shift",
         "affine", "it is written: affine(degrees = 15, shift = 0.1, scale = 0.1)"},
        {HABIT_AUGMENT, "randomerasing cutout", "erase", NULL},
        {HABIT_AUGMENT, "trivialaugment trivialaugmentwide trivial_augment", "trivial", NULL},
        {HABIT_AUGMENT, "autoaugment augmix rand_augment", "randaugment", NULL},
        {HABIT_AUGMENT, "randomresizedcrop", "random_resized_crop", NULL},
        {HABIT_AUGMENT, "colorjitter colourjitter jitter brightness contrast saturation", "color_jitter",
         "it is written: color_jitter(brightness = 0.4, contrast = 0.4, saturation = 0.4)"},
        {HABIT_AUGMENT, "resize centercrop center_crop", NULL,
         "it is a setting, of evaluation too: resize keep_aspect(shorter = 256)"},

        {HABIT_SCHEDULE, "cosineannealing cosineannealinglr cosinedecay", "cosine", NULL},
        {HABIT_SCHEDULE, "linearlr polynomial poly", "linear", NULL},
        {HABIT_SCHEDULE, "onecyclelr 1cycle", "onecycle", NULL},
        {HABIT_SCHEDULE, "steplr multisteplr", "step", "it is written: step(every = 30ep, gamma = 0.1)"},
        {HABIT_SCHEDULE, "exponential exponentiallr", "step",
         "it is written: step(every = 1ep, gamma = 0.95)"},
        {HABIT_SCHEDULE, "none", "constant", NULL},

        {HABIT_PRECISION, "float16 half f16", "fp16", NULL},
        {HABIT_PRECISION, "bfloat16", "bf16", NULL},
        {HABIT_PRECISION, "float float32 single f32", "fp32", NULL},
        {HABIT_PRECISION, "double float64 f64", "fp64", NULL},
        {HABIT_PRECISION, "tensorfloat32", "tf32", NULL},
        {HABIT_PRECISION, "amp mixed mixedfloat16", NULL, "mixed precision is bf16 or fp16"},
        {HABIT_PRECISION, "fp8 float8 int8", NULL, "the narrowest are bf16 and fp16"},

        {HABIT_OPTION, "o o0 o1 o2 o3 os ofast optimize", NULL,
         "nnc always optimises; -fno-PASS leaves a pass out"},
        {HABIT_OPTION, "c", NULL, "-S stops at the generated C"},
        {HABIT_OPTION, "output out", NULL, "it is -o FILE"},
        {HABIT_OPTION, "verbose", NULL, "it is -v"},
        {HABIT_OPTION, "wall w", NULL, "all warnings are on; -Werror makes them errors"},
        {HABIT_OPTION, "summary", NULL, "it is --print=layers"},
        {HABIT_OPTION, "mcpu mtune mtarget", "--march", NULL},
        {HABIT_OPTION, "arch gpuarchitecture computecapability", NULL, "it is --target=cuda:sm_90"},
        {HABIT_OPTION, "gpu cuda device", NULL, "it is --target=cuda"},
        {HABIT_OPTION, "fp16 half", NULL, "it is --precision=fp16"},
        {HABIT_OPTION, "amp mixedprecision dtype", NULL, "it is --precision=bf16, or fp16, tf32, fp32"},
        {HABIT_OPTION, "bf16", NULL, "it is --precision=bf16"},
        {HABIT_OPTION, "fp32", NULL, "it is --precision=fp32"},
        {HABIT_OPTION, "lr learningrate rate", NULL,
         "it is --set rate=0.01, or an option of the trainer: --rate 0.01"},
        {HABIT_OPTION, "epochs numepochs", NULL,
         "it is --set epochs=12, or an option of the trainer: --epochs 12"},
        {HABIT_OPTION, "steps maxsteps", NULL,
         "it is --set steps=500, or an option of the trainer: --steps 500"},
        {HABIT_OPTION, "seed", NULL, "it is --set seed=1, or an option of the trainer: --seed 1"},
        {HABIT_OPTION, "batch batchsize", NULL, "it is --set batch=128"},
        {HABIT_OPTION, "chunk", NULL, "it is --set chunk=128"},
        {HABIT_OPTION, "clip gradclip", NULL, "it is --set clip=1.0"},
        {HABIT_OPTION, "optimizer", NULL, "it is --set 'optimizer=sgd(rate = 0.1)'"},
        {HABIT_OPTION, "momentum", NULL, "it is --set optimizer.momentum=0.9"},
        {HABIT_OPTION, "weightdecay", NULL, "it is --set optimizer.decay=0.01"},
        {HABIT_OPTION,
         "data evaldata holdout noshuffle noaugment overfitbatch followlinks resident stream workers "
         "stopafter "
         "threads gpus ranktimeout init initskip initmap checkpoint checkpointevery keep resume best monitor "
         "earlystop onnan evalevery noeval tune tuneseconds notune deterministic memory nograph warmup "
         "inference prompt tokens temperature topk top confusion mistakes into trace log logevery lognorms "
         "progress quiet printmodel",
         NULL, "it is an option of the trainer that nnc makes"},

        {HABIT_OPTION, "cpu nolibrary nocudnn noonednn", NULL,
         "it is --library=none where nnc's own kernels alone are meant; auto and onednn are the others"},
        {HABIT_OPTION, "backend", NULL, "it is --target=cuda, or --library=none"},

        {HABIT_LIBRARY, "dnnl mkldnn mkl", "onednn", NULL},
        {HABIT_LIBRARY, "loops own off no builtin", "none", "nnc's own kernels alone are `none`"},
        {HABIT_LIBRARY, "cudnn cublas cublaslt default", "auto",
         "`auto` takes what is faster by measurement"},

        {HABIT_TARGET, "gpu nvidia h100 a100", "cuda", "a GPU's is `cuda`"},
        {HABIT_TARGET, "x86 x8664 host native c", "cpu", "a processor's is `cpu`"},
        {HABIT_TARGET, "rocm hip amd metal mps opencl vulkan tpu", NULL, "there is none for it"},

        {HABIT_ARCH, "b200 b100 blackwell", "sm_100", NULL},
        {HABIT_ARCH, "h100 h200 gh200 hopper", "sm_90", NULL},
        {HABIT_ARCH, "l4 l40 l40s rtx4090 ada", "sm_89", NULL},
        {HABIT_ARCH, "a10 a40 rtx3090", "sm_86", NULL},
        {HABIT_ARCH, "a100 a30 ampere", "sm_80", NULL},
        {HABIT_ARCH, "t4 turing v100 volta p100 pascal", NULL, "that GPU is too old for nnc's kernels"},

        {HABIT_TABLE, "summary model shapes", "layers", NULL},
        {HABIT_TABLE, "ops", "operators", NULL},
        {HABIT_TABLE, "memory", NULL, "that is `--plan`"},
        {HABIT_TABLE, "settings", NULL, "that is `nnc help`"},

        {HABIT_EMIT, "cuda kernels ptx", "cu", NULL},
        {HABIT_EMIT, "graph", "dot", NULL},
        {HABIT_EMIT, "library so a shared static", "lib", NULL},

        {HABIT_PASS, "commonsubexpressions commonsubexpressionelimination", "cse", NULL},
        {HABIT_PASS, "constantfolding", "simplify", NULL},
        {HABIT_PASS, "autodiff backward gradients gradient", "differentiate", NULL},
        {HABIT_PASS, "expansion lowering decompose", "expand", NULL},
        {HABIT_PASS, "checkpointing rematerialize rematerialization", "recompute", NULL},

        {HABIT_VALUE, "yes on", "always", NULL},
        {HABIT_VALUE, "no off", "never", NULL},
};

static bool is_dash(char c)
{
	return c == '_' || c == '-';
}

/* Whether `word` is what stands from `at` to `end`. */
static bool same_word(const char *word, const char *at, const char *end)
{
	for (; *word; word++) {
		if (is_dash(*word))
			continue;
		if (at == end || tolower((unsigned char)*word) != *at)
			return false;
		at++;
	}
	return at == end;
}

static bool is_theirs(const Habit *h, const char *word)
{
	for (const char *at = h->theirs; *at;) {
		const char *end = at + strcspn(at, " ");
		if (same_word(word, at, end))
			return true;
		at = *end ? end + 1 : end;
	}
	return false;
}

static bool is_possible(const char *ours, const char *const *possible, int count)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(possible[i], ours) == 0)
			return true;
	}
	return !possible;
}

bool habit_is_comment(Loc at)
{
	const char *text = at.source ? at.source->text : NULL;
	for (int i = at.start - 1; text && i > 0 && text[i] != '\n'; i--)
		if (text[i] == '/' && text[i - 1] == '/' && (i == 1 || isspace((unsigned char)text[i - 2])))
			return true;
	return false;
}

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Where the parenthesis that closes at `end` opens, or -1. */
static int opening(const char *text, int end)
{
	int depth = 0;
	for (int at = end; at >= 0; at--) {
		depth += (text[at] == ')') - (text[at] == '(');
		if (depth == 0)
			return at;
	}
	return -1;
}

const char *habit_called_twice(Arena *a, Loc close, bool second)
{
	const char *text = close.source->text;
	int at = opening(text, close.start);
	if (second)
		at = at > 0 && text[at - 1] == ')' ? opening(text, at - 1) : -1;
	int start = at;
	while (start > 0 && is_letter(text[start - 1]))
		start--;
	return at > start ? arena_strndup(a, text + start, (size_t)(at - start)) : NULL;
}

bool habit_takes_part(Loc bracket)
{
	const char *text = bracket.source->text;
	int at = bracket.start;
	if (at == 0 || !(is_letter(text[at - 1]) || text[at - 1] == ')' || text[at - 1] == ']'))
		return false;
	while (at > 0 && text[at] != '\n' && text[at] != ':')
		at--;
	return text[at] != ':';
}

const char *habit_help(Arena *a, HabitPlace place, const char *word, const char *const *possible, int count)
{
	for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
		const Habit *h = &habits[i];
		if (h->place != place || (h->ours && !is_possible(h->ours, possible, count)) ||
		    !is_theirs(h, word))
			continue;
		return h->help ? h->help : arena_printf(a, "it is called `%s` here", h->ours);
	}
	return NULL;
}

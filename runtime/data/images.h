/* SPDX-License-Identifier: MIT */
/* From a list of image files to samples: what folders of classes (images.c) and pictures to predict for (pictures.c)
 * have in common. */
#ifndef NNR_IMAGES_H
#define NNR_IMAGES_H

#include "runtime/data/data.h"
#include "runtime/data/image_files.h"
#include "runtime/data/image_folders.h"

enum {
	NO_CLASS = 255
}; /* of a pixel whose class is not known: a score that is no number, or what was not seen */

/* One part of the data on its way. */
typedef struct PictureReading {
	DataPart *part;
	const char *folder;
	ImageFiles files;
	const DataRequest *r;
	Dataset *data;       /* that the part is of */
	int image, target;   /* inputs of the model; target -1: the files have no classes */
	bool for_prediction; /* files may be bad: each is named, and the part keeps the names of the others */
	int64_t left_out;    /* of the files */
} PictureReading;

/* "32x32 colour to 28x28 grey", malloc'd; NULL where every image is already as the model wants it. */
char *images_conversion(const ImageFiles *files);
/* Whether the samples, of so many bytes, are decoded as they are needed; *why, malloc'd: for the line on the data. */
bool images_choose_to_stream(const DataRequest *r, double bytes, char **why);
/* The part's memory, filled: all inputs, or all but the images. Takes the list of files, which have been looked at. */
void images_fill(PictureReading *reading, bool streams);
/* What links must not lead out of, malloc'd; NULL where they may. */
char *images_root(const char *folder, const DataRequest *r);

#endif

/* Under which licences a program may be used and passed on: what `nnc --licences` and a trainer's print. */
#ifndef NNC_LICENCES_H
#define NNC_LICENCES_H

/* In the head of all that nnc generates. */
#define LICENCE_OF_OUTPUT "Yours under any terms: LICENSE of nnc, \"Exception for what nnc makes\"."

#endif

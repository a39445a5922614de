/* SPDX-License-Identifier: MIT */
/* What folders of pictures are like: where classes, parts and pictures are in them. */
#ifndef NNR_IMAGE_FOLDERS_H
#define NNR_IMAGE_FOLDERS_H

#include <stdbool.h>

/* DIR/`name` when it is a folder, malloc'd, else NULL. */
char *images_subfolder(const char *folder, const char *name);
bool images_are_in(const char *folder);     /* directly, by their names or their content */
bool images_are_within(const char *folder); /* or in a folder of it */
/* DIR/train, or DIR itself: its folders are the classes, which are numbered in the order of their names; malloc'd. */
char *images_train_part(const char *folder);
/* DIR/test, or DIR/val and so on, malloc'd; NULL: there is none. A note names one that stands beside it. */
char *images_held_out(const char *folder);
/* How many folders with pictures it has, none, one or two, where there are several. */
int images_class_folders(const char *folder);
/* Whether a folder has folders of classes with pictures in them. */
bool images_recognise(const char *folder);

#endif

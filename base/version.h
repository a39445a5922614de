/* SPDX-License-Identifier: MIT */
#ifndef NNC_VERSION_H
#define NNC_VERSION_H

#define NNC_VERSION "0.3"
/* What `language N` names in a .net. It rises when a file that was read before is refused or means something else. */
#define LANGUAGE_VERSION 1

#endif

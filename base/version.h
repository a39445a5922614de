#ifndef NNC_VERSION_H
#define NNC_VERSION_H

#define NNC_VERSION "0.2"

#endif

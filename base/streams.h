/* SPDX-License-Identifier: MIT */
/* Standard streams that the process was started without (`2>&-`). */
#ifndef NNC_STREAMS_H
#define NNC_STREAMS_H

#include <fcntl.h>
#include <unistd.h>

/* The first call of a process: otherwise a file that it opens takes the number of a closed stream, and messages go into
 * it. What is opened here can't be read from or written to, so that a use of it fails as one of a closed stream. */
static inline void streams_open_closed(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/", O_RDONLY | O_DIRECTORY) != fd)
			_exit(3); /* of nnc and of trainers: this machine does not let it work */
}

#endif

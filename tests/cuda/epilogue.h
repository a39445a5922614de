/* SPDX-License-Identifier: MIT */
/* The convolution of convolutions.c, for the kernels that follow it in the fake driver's image. */
#ifndef NNC_TESTS_EPILOGUE_H
#define NNC_TESTS_EPILOGUE_H

enum { EPILOGUE_BATCH = 2, EPILOGUE_SIDE = 5, EPILOGUE_CHANNELS = 4, EPILOGUE_FILTERS = 8 };
enum {
	EPILOGUE_PIXELS = EPILOGUE_BATCH * EPILOGUE_SIDE * EPILOGUE_SIDE,
	EPILOGUE_COUNT = EPILOGUE_PIXELS * EPILOGUE_FILTERS
};

#endif

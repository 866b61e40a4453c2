/*
 * base/banned.h - functions that nobody calls here.
 *
 * They overflow, keep hidden state or hide errors. Every .c file of the project includes
 * this header last; the replacements stand in base/buf.h, base/parse.h and base/clock.h.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok
#pragma GCC poison atoi atol atoll atof localtime gmtime asctime ctime gets tmpnam mktemp

#endif

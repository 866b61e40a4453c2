/* A screen that shows what text paints, for the tests of what is done with screens. */
#ifndef TESTS_UNIT_SCREEN_OF_H
#define TESTS_UNIT_SCREEN_OF_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vscreen/screen.h"

static inline struct vs_screen *screen_of(int rows, int cols, const char *text)
{
	const struct vs_options opt = { .rows = rows, .cols = cols };
	struct vs_screen *s;

	assert_int_equal(vs_screen_new(&s, &opt), B_OK);
	vs_screen_feed(s, text, strlen(text));
	return s;
}

#endif

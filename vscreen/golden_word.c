/* What {date}, {time} and {number} stand for. */
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "vscreen/golden.h"
#include "base/banned.h"

/*
 * In a template `d` is one or two digits, `2` two, `4` four, `y` two or four, `f` any number;
 * `M` and `W` a month's and a weekday's English name, short or full; `~` one of - / . and the
 * rest is itself.
 */
static const char *const dates[] = { "4~d~d", "d~d~y", "d~M~y", "d M y", "d. M y", "M d, y",
	"M d y", "M d", "d M", "d~d", "4222", "422", "42", "W d M y", "W, d M y", "W M d",
	"W M d y", "W M d, y", "W, M d, y", "W d M", "W, 4~d~d", "W 4~d~d", "W d~d~y", "W, d~d~y" };
static const char *const times[] = { "d:2", "d:2:2", "d:2:2.f", "d:2:2,f", "d:2 P", "d:2P",
	"d:2:2 P", "d:2:2P" };

static const char *const months[] = { "January", "February", "March", "April", "May", "June",
	"July", "August", "September", "October", "November", "December" };
static const char *const weekdays[] = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
	"Saturday", "Sunday" };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool matches(const char *t, const char *s, size_t len);

/* From min to max digits, then the rest of the template. */
static bool digits(const char *t, const char *s, size_t len, size_t min, size_t max, size_t step)
{
	size_t n = 0;

	while (n < len && n < max && is_digit(s[n]))
		n++;
	for (size_t k = min; k <= n; k += step)
		if (matches(t, s + k, len - k))
			return true;
	return false;
}

static bool name(
	const char *const names[], size_t n_names, const char *t, const char *s, size_t len)
{
	for (size_t i = 0; i < n_names; i++) {
		size_t full = strlen(names[i]);

		if (len >= full && !strncasecmp(s, names[i], full) &&
			matches(t, s + full, len - full))
			return true;
		if (len >= 3 && !strncasecmp(s, names[i], 3) && matches(t, s + 3, len - 3))
			return true;
	}
	return false;
}

static bool matches(const char *t, const char *s, size_t len)
{
	char c = *t++;

	if (!c)
		return !len;
	if (!len)
		return false;
	switch (c) {
	case 'd': return digits(t, s, len, 1, 2, 1);
	case '2': return digits(t, s, len, 2, 2, 1);
	case '4': return digits(t, s, len, 4, 4, 1);
	case 'y': return digits(t, s, len, 2, 4, 2);
	case 'f': return digits(t, s, len, 1, len, 1);
	case 'M': return name(months, B_ARRAY_LEN(months), t, s, len);
	case 'W': return name(weekdays, B_ARRAY_LEN(weekdays), t, s, len);
	case 'P':
		return len >= 2 && (!strncasecmp(s, "am", 2) || !strncasecmp(s, "pm", 2)) &&
			matches(t, s + 2, len - 2);
	case '~': return (*s == '-' || *s == '/' || *s == '.') && matches(t, s + 1, len - 1);
	default: return *s == c && matches(t, s + 1, len - 1);
	}
}

static bool one_of(const char *const templates[], size_t n, const char *s, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (matches(templates[i], s, len))
			return true;
	return false;
}

/* Digits, with . , or ' between them, a sign in front or (as COBOL has it) behind. */
static bool is_number(const char *s, size_t len)
{
	bool digit = false;

	if (len > 1 && (*s == '-' || *s == '+')) {
		s++;
		len--;
	} else if (len > 1 && (s[len - 1] == '-' || s[len - 1] == '+')) {
		len--;
	}
	for (size_t i = 0; i < len; i++) {
		if (!is_digit(s[i]) && (!digit || !strchr(".,'", s[i])))
			return false;
		digit = is_digit(s[i]);
	}
	return digit;
}

bool vs_word_is(enum vs_item_kind kind, const char *s, size_t len)
{
	switch (kind) {
	case VS_ITEM_DATE: return one_of(dates, B_ARRAY_LEN(dates), s, len);
	case VS_ITEM_TIME: return one_of(times, B_ARRAY_LEN(times), s, len);
	case VS_ITEM_NUMBER: return is_number(s, len);
	default: return false;
	}
}

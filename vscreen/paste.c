#include <string.h>

#include "vscreen/keys.h"
#include "vscreen/screen.h"
#include "base/banned.h"

/* Whether the end bracket stands at s, seen through Escs that would close up to it. */
static bool ends_paste(const char *s, const char *end)
{
	while (s < end && *s == '\033')
		s++;
	return end - s >= 5 && !memcmp(s, "[201~", 5);
}

void vs_paste_encode(const char *text, size_t len, unsigned modes, struct b_buf *out)
{
	const char *end = text + len;

	if (modes & VS_MODE_PASTE)
		b_buf_adds(out, "\033[200~");
	for (const char *s = text; s < end; s++) {
		if (*s == '\r' && s + 1 < end && s[1] == '\n')
			continue;
		/* No text may end its own paste: what follows would be typed. */
		if (*s == '\033' && (modes & VS_MODE_PASTE) && ends_paste(s, end))
			continue;
		b_buf_addc(out, *s == '\n' ? '\r' : *s);
	}
	if (modes & VS_MODE_PASTE)
		b_buf_adds(out, "\033[201~");
}

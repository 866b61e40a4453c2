#include "capture/base64.h"

#include <stdbool.h>
#include <string.h>

#include "base/banned.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void cap_base64_encode(struct b_buf *out, const char *bytes, size_t len)
{
	const unsigned char *p = (const unsigned char *)bytes;

	for (size_t i = 0; i < len; i += 3) {
		unsigned v = (unsigned)p[i] << 16;

		if (i + 1 < len)
			v |= (unsigned)p[i + 1] << 8;
		if (i + 2 < len)
			v |= p[i + 2];
		b_buf_addc(out, alphabet[v >> 18]);
		b_buf_addc(out, alphabet[v >> 12 & 63]);
		b_buf_addc(out, i + 1 < len ? alphabet[v >> 6 & 63] : '=');
		b_buf_addc(out, i + 2 < len ? alphabet[v & 63] : '=');
	}
}

int cap_base64_decode(struct b_buf *out, const char *text, size_t len)
{
	size_t start = out->len, pad = 0;

	if (len % 4)
		return B_EINPUT;
	while (pad < 2 && len > pad && text[len - 1 - pad] == '=')
		pad++;
	for (size_t i = 0; i < len; i += 4) {
		bool last = i + 4 == len;
		unsigned v = 0;

		for (size_t k = 0; k < 4; k++) {
			char c = text[i + k];
			const char *at = c ? strchr(alphabet, c) : NULL;

			if (last && k >= 4 - pad) {
				v <<= 6;
				continue;
			}
			if (!at) {
				b_buf_truncate(out, start);
				return B_EINPUT;
			}
			v = v << 6 | (unsigned)(at - alphabet);
		}
		for (size_t k = 0; k < (last ? 3 - pad : 3); k++)
			b_buf_addc(out, (char)(v >> (16 - 8 * k)));
	}
	return B_OK;
}

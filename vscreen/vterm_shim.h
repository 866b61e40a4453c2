/*
 * vterm_shim.h - the one place that knows libvterm.
 *
 * Only its parser is used (vterm_parser_set_callbacks); the state and the screen on top of it
 * are ours. The parser is given whole, clean pieces by the stream guard: text in valid UTF-8,
 * controls, complete escape and CSI sequences with at most 16 arguments. Control
 * strings never reach it, so that the string callbacks, which differ between 0.1 and 0.3, are
 * not set at all. Builds with 0.1.4 and with 0.3.x.
 */
#ifndef VSCREEN_VTERM_SHIM_H
#define VSCREEN_VTERM_SHIM_H

#include <stddef.h>
#include <vterm.h>

static inline VTerm *vs_shim_new(const VTermParserCallbacks *callbacks, void *user)
{
	VTerm *vt;

#if VTERM_VERSION_MAJOR > 0 || VTERM_VERSION_MINOR >= 2
	/* Its output and scratch buffers (4 KiB each by default) are never used here. */
	vt = vterm_build(&(const struct VTermBuilder){
		.rows = 2, .cols = 2, .outbuffer_len = 16, .tmpbuffer_len = 16 });
#else
	vt = vterm_new(2, 2);
#endif
	if (vt) {
		vterm_set_utf8(vt, 1);
		vterm_parser_set_callbacks(vt, callbacks, user);
	}
	return vt;
}

#endif

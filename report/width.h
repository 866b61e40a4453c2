/*
 * report/width.h - columns that a character takes in a terminal or a monospaced page.
 *
 * Whatever the locale, so that a report is the same on every machine. Source: Unicode Standard
 * Annex 11 (East Asian Wide), ranges rounded to blocks.
 */
#ifndef REPORT_WIDTH_H
#define REPORT_WIDTH_H

#include <stdint.h>

static inline int rp_width(uint32_t cp)
{
	if ((cp >= 0x300 && cp <= 0x36F) || (cp >= 0x200B && cp <= 0x200F) ||
		(cp >= 0x20D0 && cp <= 0x20FF) || (cp >= 0xFE00 && cp <= 0xFE0F))
		return 0;
	if ((cp >= 0x1100 && cp <= 0x115F) || (cp >= 0x2E80 && cp <= 0xA4CF) ||
		(cp >= 0xAC00 && cp <= 0xD7A3) || (cp >= 0xF900 && cp <= 0xFAFF) ||
		(cp >= 0xFE30 && cp <= 0xFE6F) || (cp >= 0xFF00 && cp <= 0xFF60) ||
		(cp >= 0xFFE0 && cp <= 0xFFE6) || (cp >= 0x1F300 && cp <= 0x1FAFF) ||
		(cp >= 0x20000 && cp <= 0x3FFFD))
		return 2;
	return 1;
}

#endif

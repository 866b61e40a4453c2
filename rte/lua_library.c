/* The Makefile names scripts/prelude.lua as a prerequisite of this file's object: the compiler
   does not see what the assembler includes. */
#include "rte/lua_library.h"

#include "base/banned.h"

__asm__(".pushsection .rodata\n"
	".globl rte_lua_prelude, rte_lua_prelude_end\n"
	"rte_lua_prelude:\n"
	".incbin \"scripts/prelude.lua\"\n"
	"rte_lua_prelude_end:\n"
	".byte 0\n"
	".popsection\n");

/*
 * rte/lua_library.h - the part of the script library that is written in Lua, as text.
 *
 * scripts/prelude.lua, put into the program when it is built. Run once for each state, with the
 * base table as its globals.
 */
#ifndef RTE_LUA_LIBRARY_H
#define RTE_LUA_LIBRARY_H

extern const char rte_lua_prelude[], rte_lua_prelude_end[]; /* no NUL behind it */

#endif

/*
 * rte/control_socket.h - inside of rte/control*.c: the socket in the run directory.
 *
 * The path may be of any length: it is reached through a descriptor of the directory. Only the
 * user who runs rte may connect.
 */
#ifndef RTE_CONTROL_SOCKET_H
#define RTE_CONTROL_SOCKET_H

#include "base/error.h"

/* Listens at `path` in `dir`, in place of what a killed run left there. The descriptor does not block
   and is the caller's. B_ESYS. */
int rte_control_socket_open(const char *dir, const char *path, int *out) B_CHECK;

#endif

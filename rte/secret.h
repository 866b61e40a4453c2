/*
 * rte/secret.h - secrets by name: RTE_SECRET_PASSWORD in the environment for "password".
 */
#ifndef RTE_SECRET_H
#define RTE_SECRET_H

/* The value, owned by the environment; NULL: there is none, or name is no name. Letters become
   capitals and what is neither letter nor digit `_`. Thread-safe while nobody sets variables. */
const char *rte_secret_get(const char *name);

#endif

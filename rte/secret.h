/*
 * rte/secret.h - secrets by name: RTE_SECRET_PASSWORD in the environment for "password".
 */
#ifndef RTE_SECRET_H
#define RTE_SECRET_H

#define RTE_SECRET_SIZE   128
#define RTE_SECRET_PREFIX "RTE_SECRET_" /* of the variables' names */

/* The name of the variable; NULL: name is no name. */
const char *rte_secret_variable(char out[RTE_SECRET_SIZE], const char *name);
/* The value, owned by the environment; NULL: there is none, or name is no name. Letters become
   capitals and what is neither letter nor digit `_`. Thread-safe while nobody sets variables. */
const char *rte_secret_get(const char *name);

#endif

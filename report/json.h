/*
 * report/json.h - building blocks of the JSON documents (private to report/).
 *
 * Wrappers around jansson that cannot fail: memory is there or the program ends, foreign text
 * is made valid UTF-8, a number that does not exist becomes null.
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "report/run.h"

void rp_put(json_t *o, const char *key, json_t *v); /* takes v */
void rp_put_number(json_t *o, const char *key, double v);
void rp_put_count(json_t *o, const char *key, uint64_t n);
void rp_put_text(json_t *o, const char *key, const char *s); /* NULL: null */
json_t *rp_json_stat(const struct rp_stat *s);
/* stages_write.c: an array, an object a stage. */
json_t *rp_stages_json(const struct rp_run *r);
/* The whole of summary.json; the caller's. */
json_t *rp_summary_json(const struct rp_run *r);
/* Writes and frees o. B_ESYS. */
int rp_json_dump(json_t *o, FILE *to);

/* A file of JSON that is read back; NULL: *why says why. Does not wait for what is no file. */
json_t *rp_json_read(const char *path, json_error_t *why) B_CHECK;

#endif

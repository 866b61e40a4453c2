/*
 * rte/command.h - the verbs of the command line, one file each: rte/cmd_NAME.c.
 *
 * Each takes its own arguments (argv[0] is "rte VERB"), prints results on standard output and
 * messages on standard error, and returns the exit status. Nothing below these calls exit().
 */
#ifndef RTE_COMMAND_H
#define RTE_COMMAND_H

int cmd_record(int argc, char **argv);
int cmd_script(int argc, char **argv);
int cmd_play(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_watch(int argc, char **argv);
int cmd_ctl(int argc, char **argv);
int cmd_test(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_screen(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_version(int argc, char **argv);

#endif

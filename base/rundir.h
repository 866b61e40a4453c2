/*
 * base/rundir.h - the run directory: what `rte run` writes and `rte report` reads.
 *
 * The names and columns here are a contract with the outside: new columns come at the end,
 * readers find columns by name. Times are seconds with a decimal point; `start` and `time`
 * are seconds since the epoch with microseconds. An empty field means "there is none".
 * doc/rte-rundir.5 says what each means.
 */
#ifndef BASE_RUNDIR_H
#define BASE_RUNDIR_H

#define RUNDIR_RUN_JSON         "run.json"         /* configuration, host, phases, outcome */
#define RUNDIR_TRANSACTIONS_CSV "transactions.csv" /* a row a transaction */
#define RUNDIR_SESSIONS_CSV     "sessions.csv"     /* a row a session, with its time account */
#define RUNDIR_TIMELINE_CSV     "timeline.csv"     /* a row a second */
#define RUNDIR_LOG_CSV          "log.csv"          /* what the scripts log() */
#define RUNDIR_FAILURES_DIR     "failures"         /* screens, once per distinct picture */
#define RUNDIR_SUMMARY_JSON     "summary.json"     /* the report's figures */
#define RUNDIR_REPORT_HTML      "report.html"
#define RUNDIR_CONTROL_SOCKET   "control.sock"
#define RUNDIR_SAR_JSON         "sar.json" /* system activity, when --sar recorded it */

#define RUNDIR_TRANSACTIONS_COLUMNS                                                           \
	"start,user,session,iteration,script,transaction,phase,counted,status,response_s,"    \
	"first_response_s,ready_s,keying_s,think_before_s,due_late_s,echo_mean_s,echo_max_s," \
	"keys,bytes_in,bytes_out,ended_by,detail"

/*
 * connect_s .. logout_s, backoff_s and other_s add up to duration_s: where the session's time
 * went, without overlap. settling_s, late_s and blocked_s are parts of these and add nothing.
 * end: logout (came to its end), restart, stop, disconnect, error, aborted.
 */
#define RUNDIR_SESSIONS_COLUMNS                                                                \
	"start,user,session,script,target,end,detail,iterations,duration_s,connect_s,login_s," \
	"keying_s,response_s,script_s,think_s,pacing_s,barrier_s,logout_s,backoff_s,other_s,"  \
	"settling_s,late_s,blocked_s"

/*
 * users_* are counts at the end of the second; transactions, failures, keys and bytes are of
 * that second alone; p50_s .. max_s are response times of ok transactions that ended in it;
 * late_* the lateness of its keystrokes; cpu_driver the driver's CPUs in use (1.0: one core).
 * arrivals, turned_away: of that second, empty in a run without arrivals. wake_late_max_s: how late
 * a timer was seen at most; cpu_workers: of each, in their order, blanks between them; log_queue_bytes:
 * rows that waited to be written, the most.
 */
#define RUNDIR_TIMELINE_COLUMNS                                                                 \
	"time,phase,users_planned,users_connecting,users_login,users_typing,users_waiting,"     \
	"users_thinking,users_done,users_failed,transactions,failures,p50_s,p90_s,p99_s,max_s," \
	"keys,bytes_in,bytes_out,late_p50_s,late_p99_s,late_max_s,cpu_driver,rss_kib,"          \
	"arrivals,turned_away,wake_late_max_s,cpu_workers,log_queue_bytes"

#define RUNDIR_LOG_COLUMNS "time,user,session,iteration,script,transaction,text"

#define RUNDIR_FORMAT_VERSION 1 /* "format" in run.json and summary.json */

#endif

/*
 * demo/order/order.h - order entry's screens.
 *
 *   main menu -> new order      up to 15 lines; the total, or "Item number is not valid."
 *             -> order status   by the number that the new order has shown
 *
 * F1 or Esc: main menu, F2: new order, F3: status, F10: exit; 1, 2, 0 in the menu.
 */
#ifndef DEMO_ORDER_ORDER_H
#define DEMO_ORDER_ORDER_H

#include "base/error.h"
#include "demo/forms/options.h"
#include "demo/order/db.h"

/* Runs order entry for one warehouse at this terminal; errors as df_app_run. */
int or_run(struct or_db *db, int64_t warehouse, const struct df_options *opt,
	struct b_error *err) B_CHECK;

#endif

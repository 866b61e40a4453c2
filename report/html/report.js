/* Draws the charts of a report from the JSON block with id "data". Foreign text reaches the page
   as text nodes and option labels only, never as markup. */
(function () {
	"use strict";
	var data = JSON.parse(document.getElementById("data").textContent);
	var root = document.documentElement;
	var charts = [];   /* functions that draw, called again when colours change */
	var timed = [];    /* graphs over time, zoomed together */
	var graphs = [];
	var picked = 0;
	var LEFT = 62, RIGHT = 44; /* of the axes of charts over time */
	var PRINT_WIDTH = 690; /* pixels of a page's width, about */

	function colour(name) { return getComputedStyle(root).getPropertyValue("--" + name).trim(); }

	function el(tag, text, parent) {
		var e = document.createElement(tag);
		if (text !== undefined && text !== null) e.textContent = text;
		if (parent) parent.appendChild(e);
		return e;
	}

	/* ---- Numbers, as in the text report ---- */
	function three(v) {
		var a = Math.abs(v);
		return v.toFixed(a < 9.995 ? 2 : a < 99.95 ? 1 : 0);
	}
	function seconds(v) {
		if (v === null || v === undefined || isNaN(v)) return "-";
		return Math.abs(v) < 0.9995 ? three(v * 1000) + "ms" : three(v) + "s";
	}
	function axisSeconds(v) {
		if (v === 0) return "0";
		return Math.abs(v) < 0.9995 ? +(v * 1000).toPrecision(3) + "ms" : +v.toPrecision(4) + "s";
	}
	function count(v) {
		if (v === null || v === undefined || isNaN(v)) return "-";
		return v >= 1000 ? Math.round(v).toLocaleString("en") : String(+(+v).toPrecision(3));
	}
	function share(v) { return v === null || isNaN(v) ? "-" : +(v * 100).toPrecision(3) + "%"; }
	function clock(t) {
		var neg = t < 0, s = Math.round(Math.abs(t)), h = Math.floor(s / 3600);
		var m = Math.floor(s / 60) % 60, two = function (n) { return (n < 10 ? "0" : "") + n; };
		return (neg ? "-" : "") + (h ? h + ":" + two(m) : m) + ":" + two(s % 60);
	}
	function percent(x) {
		var q = 1 - Math.pow(10, -x);
		return +(q * 100).toFixed(Math.max(0, Math.ceil(x) - 1) + (x % 1 ? 1 : 0)) + "%";
	}

	/* ---- One chart ---- */
	function plot(figure) {
		var old = figure.querySelectorAll(".plot, .legend");
		for (var i = 0; i < old.length; i++) old[i].remove();
		var legend = el("div", "", figure);
		legend.className = "legend";
		var box = el("div", "", figure);
		box.className = "plot";
		/* A canvas cannot be drawn anew for paper: it is printed as it stands, made smaller. */
		var half = figure.parentNode.classList.contains("grid");
		box.style.setProperty("--print-zoom",
			Math.min(1, (half ? PRINT_WIDTH / 2 - 16 : PRINT_WIDTH) / (box.clientWidth || PRINT_WIDTH)).toFixed(3));
		return { box: box, legend: legend };
	}

	function draw(figure, rows, options) {
		var p = plot(figure);
		if (!rows.length) {
			p.box.className = "empty plot";
			p.box.textContent = "No data.";
			return null;
		}
		var o = {
			legend: "always", labelsDiv: p.legend, animatedZooms: false, fillGraph: false,
			gridLineColor: colour("grid"), axisLineColor: colour("line"), strokeWidth: 1.6,
			highlightCircleSize: 3, includeZero: true, xRangePad: 4, yRangePad: 10,
			labelsKMB: false, digitsAfterDecimal: 3, connectSeparatedPoints: false
		};
		for (var k in options) o[k] = options[k];
		var g = new Dygraph(p.box, rows, o);
		graphs.push(g);
		return g;
	}

	/* On a ground of its own: lines cross where it stands. */
	function label(context, text, x, y, align) {
		context.save();
		context.font = "11px sans-serif";
		context.textAlign = align || "left";
		context.textBaseline = "top";
		var w = context.measureText(text).width, ink = context.fillStyle;
		context.globalAlpha = 0.8;
		context.fillStyle = colour("bg");
		context.fillRect(align === "right" ? x - w - 1 : x - 1, y - 1, w + 2, 13);
		context.globalAlpha = 1;
		context.fillStyle = ink;
		context.fillText(text, x, y);
		context.restore();
	}

	/* Phases as bands behind the curves, the interval between two lines. */
	function bands(context, area, g) {
		data.phases.forEach(function (p, i) {
			var a = Math.max(area.x, g.toDomXCoord(p.from)), b = Math.min(area.x + area.w, g.toDomXCoord(p.to));
			if (b <= a) return;
			context.fillStyle = colour(p.name === "measure" ? "phase3" : i % 2 ? "phase2" : "phase1");
			context.fillRect(a, area.y, b - a, area.h);
			if (b - a < p.name.length * 6 + 6) return;
			context.fillStyle = colour("dim");
			label(context, p.name, a + 3, area.y + 2);
		});
		context.strokeStyle = colour("fg");
		context.lineWidth = 1;
		[data.from, data.to].forEach(function (t) {
			if (t === null) return;
			var x = Math.round(g.toDomXCoord(t)) + 0.5;
			if (x < area.x || x > area.x + area.w) return;
			context.beginPath();
			context.moveTo(x, area.y);
			context.lineTo(x, area.y + area.h);
			context.stroke();
		});
		context.setLineDash([3, 3]);
		context.strokeStyle = colour("dim");
		data.actions.forEach(function (a) {
			var x = g.toDomXCoord(a.at);
			if (x < area.x || x > area.x + area.w) return;
			context.beginPath();
			context.moveTo(x, area.y);
			context.lineTo(x, area.y + area.h);
			context.stroke();
		});
		context.setLineDash([]);
		context.fillStyle = colour("dim");
		data.actions.forEach(function (a, i) {
			var x = g.toDomXCoord(a.at);
			if (x >= area.x && x <= area.x + area.w)
				label(context, a.text, x + 3, area.y + 14 + i % 4 * 12);
		});
	}

	/* A horizontal line at a limit. */
	function limit(context, area, g, value, text, name) {
		if (value === null) return;
		var y = g.toDomYCoord(value);
		if (y < area.y || y > area.y + area.h) return;
		context.strokeStyle = context.fillStyle = colour(name);
		context.setLineDash([5, 4]);
		context.beginPath();
		context.moveTo(area.x, y);
		context.lineTo(area.x + area.w, y);
		context.stroke();
		context.setLineDash([]);
		label(context, text, area.x + area.w - 4, y + 2, "right");
	}

	var syncing = false;
	function overTime(id, rows, options) {
		var figure = document.getElementById(id);
		if (!figure) return;
		options.axes = options.axes || {};
		/* All of them end at the same place, so that what happens at one time stands in one column. */
		options.axes.y.axisLabelWidth = LEFT;
		if (options.axes.y2) options.axes.y2.axisLabelWidth = RIGHT;
		else options.rightGap = RIGHT + 11;
		options.axes.x = { axisLabelFormatter: clock, valueFormatter: clock, axisLabelWidth: 60 };
		options.underlayCallback = function (c, area, g) {
			bands(c, area, g);
			if (options.under) options.under(c, area, g);
		};
		options.zoomCallback = function (from, to) {
			if (syncing) return;
			syncing = true;
			timed.forEach(function (g) { g.updateOptions({ dateWindow: [from, to] }); });
			syncing = false;
		};
		var g = draw(figure, rows, options);
		if (g) timed.push(g);
	}

	/* The timeline's value at a point of the curves. */
	function usersAt() {
		var at = data.seconds.at, users = data.seconds.users, i = 0;
		return function (t) {
			while (i + 1 < at.length && at[i] < t) i++;
			return at.length && t <= at[at.length - 1] + data.time.step ? users[i] : null;
		};
	}

	function responseChart() {
		var s = data.time.series[picked], step = data.time.step, rows = [], any = false;
		if (!s) return;
		for (var i = 0; i < s.ok.length; i++) {
			rows.push([(i + 0.5) * step, s.p50[i], s.p90[i], s.p99[i], s.max[i]]);
			any = any || s.p50[i] !== null;
		}
		overTime("response", any ? rows : [], {
			labels: ["time", "p50", "p90", "p99", "max"],
			colors: [colour("c1"), colour("c2"), colour("c3"), colour("c4")],
			series: { max: { strokeWidth: 0, drawPoints: true, pointSize: 1.8 } },
			connectSeparatedPoints: true,
			axes: { y: { axisLabelFormatter: axisSeconds, valueFormatter: seconds, axisLabelWidth: 62 } }
		});
	}

	function rateChart() {
		var s = data.time.series[picked], step = data.time.step, rows = [], users = usersAt();
		if (!s) return;
		for (var i = 0; i < s.ok.length; i++)
			rows.push([(i + 0.5) * step, s.ok[i], s.failed[i], users((i + 1) * step)]);
		overTime("rate", rows, {
			labels: ["time", "ok/s", "failed/s", "users"],
			colors: [colour("c5"), colour("c4"), colour("c6")],
			series: { users: { axis: "y2", strokePattern: [4, 3] } },
			axes: {
				y: { axisLabelFormatter: count, valueFormatter: count, axisLabelWidth: 50 },
				y2: { axisLabelFormatter: count, valueFormatter: count, axisLabelWidth: 50, includeZero: true, independentTicks: true, drawGrid: false }
			}
		});
	}

	function driverCharts() {
		var s = data.seconds, late = [], cpu = [], any = false, anyCpu = false;
		for (var i = 0; i < s.at.length; i++) {
			late.push([s.at[i], s.late99[i], s.latemax[i]]);
			cpu.push([s.at[i], s.cpu[i]]);
			any = any || s.late99[i] !== null;
			anyCpu = anyCpu || s.cpu[i] !== null;
		}
		overTime("lateness", any ? late : [], {
			labels: ["time", "p99", "max"], colors: [colour("c3"), colour("c4")],
			connectSeparatedPoints: true,
			axes: { y: { axisLabelFormatter: axisSeconds, valueFormatter: seconds, axisLabelWidth: 62 } },
			under: function (c, area, g) {
				limit(c, area, g, data.late_warn, "warning", "warn");
				limit(c, area, g, data.late_bad, "not valid above", "bad");
			}
		});
		overTime("cpu", anyCpu ? cpu : [], {
			labels: ["time", "cores"], colors: [colour("c1")], fillGraph: true,
			axes: { y: { axisLabelFormatter: count, valueFormatter: count, axisLabelWidth: 50 } }
		});
	}

	/* What sar told of the system, on the same axis. */
	function systemCharts() {
		var s = data.sar;
		if (!s) return;
		function lines(id, labels, keys, more) {
			var o = {
				labels: ["time"].concat(labels), connectSeparatedPoints: true,
				colors: ["c1", "c2", "c3", "c4"].map(colour),
				axes: { y: { axisLabelFormatter: count, valueFormatter: count, axisLabelWidth: 50 } }
			};
			for (var k in more || {}) {
				if (k === "y2") o.axes.y2 = more.y2; else o[k] = more[k];
			}
			overTime(id, s.at.map(function (t, i) {
				return [t].concat(keys.map(function (key) { return s[key][i]; }));
			}), o);
		}
		var right = { axisLabelFormatter: count, valueFormatter: count, axisLabelWidth: 50, independentTicks: true, drawGrid: false };
		lines("sar-cpu", ["busy", "programs", "kernel", "waiting for disk"],
			["cpu_busy", "cpu_user", "cpu_system", "cpu_iowait"]);
		lines("sar-queue", ["run queue", "waiting for disk", "load"], ["run_queue", "blocked", "load_1m"]);
		lines("sar-paging", ["in KiB/s", "out KiB/s", "major faults/s"], ["page_in", "page_out", "major_faults"],
			{ series: { "major faults/s": { axis: "y2" } }, y2: right });
		lines("sar-disk", ["transfers/s", "busy %", "await ms"], ["disk_transfers", "disk_util", "disk_await"],
			{ series: { "busy %": { axis: "y2" }, "await ms": { axis: "y2" } }, y2: right });
	}

	/* ---- Histograms ---- */
	function bars(e) {
		var c = e.drawingContext, width = e.points.length > 1 ? e.points[1].canvasx - e.points[0].canvasx : 10;
		var zero = e.dygraph.toDomYCoord(0);
		c.fillStyle = e.color;
		e.points.forEach(function (p) {
			var x = Math.round(p.canvasx - width / 2), w = Math.max(1, Math.round(p.canvasx + width / 2) - x - 1);
			c.fillRect(x, p.canvasy, w, zero - p.canvasy);
		});
	}

	function marks(list) {
		return function (context, area, g) {
			function at(m) { return Math.round(Math.min(g.toDomXCoord(m.at), area.x + area.w - 1)) - 0.5; }
			list = list.filter(function (m) { return m.at !== null; });
			list.forEach(function (m) {
				context.strokeStyle = colour(m.colour);
				context.beginPath();
				context.moveTo(at(m), area.y);
				context.lineTo(at(m), area.y + area.h);
				context.stroke();
			});
			list.forEach(function (m, i) {
				var x = at(m), right = x < area.x + area.w * 0.6, out = g.toDomXCoord(m.at) > area.x + area.w;
				context.fillStyle = colour(m.colour);
				label(context, m.name + " " + seconds(m.at) + (out ? " \u2192" : ""), x + (right ? 4 : -4),
					area.y + 2 + i * 13, right ? "left" : "right");
			});
		};
	}

	function histogram(parent, title, h, hue, sums) {
		var figure = el("figure", null, parent), cap = el("figcaption", null, figure);
		el("b", title, cap);
		el("span", "  n = " + count(h.n) + (h.over ? ", " + count(h.over) + " beyond " + seconds(h.top) : "") +
			(h.asked && h.expected ? "; line: " + (sums ? "sums of " : "") + h.asked : h.asked ? "; asked " + h.asked : ""), cap);
		charts.push(function () {
			var width = h.top / h.bins.length, rows = [], line = !!h.expected;
			if (h.n) h.bins.forEach(function (n, i) {
				rows.push(line ? [(i + 0.5) * width, n, h.expected[i]] : [(i + 0.5) * width, n]);
			});
			draw(figure, rows, {
				labels: line ? ["time", "transactions", "expected"] : ["time", "transactions"],
				colors: [colour(hue), colour("c2")],
				series: { transactions: { plotter: bars } },
				dateWindow: [0, h.top],
				axes: {
					x: { axisLabelFormatter: axisSeconds, axisLabelWidth: 56, pixelsPerLabel: 60,
						valueFormatter: function (x) { return seconds(x - width / 2) + " to " + seconds(x + width / 2); } },
					y: { axisLabelFormatter: count, valueFormatter: count, axisLabelWidth: 48 }
				},
				underlayCallback: marks([{ name: "mean", at: h.mean, colour: "c5" },
					{ name: "p90", at: h.p90, colour: "c2" }, { name: "max", at: h.max, colour: "c4" }])
			});
		});
	}

	function userTimes(parent, g) {
		histogram(parent, "Think time: " + g.name, g.think, "c1");
		histogram(parent, "Keying time: " + g.name, g.keying, "c1", true);
	}

	function percentAxis() {
		return {
			axisLabelFormatter: percent, valueFormatter: percent,
			ticker: function (a, b) {
				var t = [{ v: 0.30103, label: "50%" }], v;
				for (v = 0; v <= b + 0.01; v++) t.push({ v: v, label: percent(v) });
				return t;
			}
		};
	}

	function curveChart() {
		var at = {}, names = data.groups.slice(0, 8), xs;
		names.forEach(function (g, k) {
			g.curve.forEach(function (p) {
				var x = p[0] < 1 ? -Math.log10(1 - p[0]) : Math.max(1, Math.log10(g.response.n));
				x = +x.toFixed(4);
				(at[x] = at[x] || [])[k] = p[1];
			});
		});
		xs = Object.keys(at).map(Number).sort(function (a, b) { return a - b; });
		draw(document.getElementById("percentiles"), xs.map(function (x) {
			return [x].concat(names.map(function (g, k) { return at[x][k] === undefined ? null : at[x][k]; }));
		}), {
			/* labels must differ, or dygraphs takes them for one */
			labels: ["part"].concat(names.map(function (g, k) { return k + 1 + " " + g.name; })),
			connectSeparatedPoints: true,
			colors: ["fg", "c1", "c2", "c3", "c4", "c5", "c6", "dim"].map(colour),
			axes: {
				x: percentAxis(),
				y: { axisLabelFormatter: axisSeconds, valueFormatter: seconds, axisLabelWidth: 62 }
			}
		});
	}

	/* ---- Pages ---- */
	function options(select, names) {
		names.forEach(function (n, i) { el("option", n, select).value = i; });
	}

	function runPage() {
		var pick = document.getElementById("pick"), grid = document.getElementById("histograms");
		var users = document.getElementById("user-times");
		options(pick, data.time.series.map(function (s) { return s.name; }));
		pick.addEventListener("change", function () {
			picked = +pick.value;
			redraw();
		});
		document.getElementById("unzoom").addEventListener("click", function () {
			timed.forEach(function (g) { g.resetZoom(); });
		});
		charts.push(responseChart, rateChart, driverCharts, systemCharts, curveChart);
		data.groups.forEach(function (g) { histogram(grid, g.name, g.response, "c1"); });
		userTimes(users, data.groups[0]);
		var more = document.getElementById("user-times-more"), opened = false;
		more.parentNode.addEventListener("toggle", function () {
			if (opened) return;
			opened = true;
			data.groups.slice(1).forEach(function (g) { userTimes(more, g); });
			redraw();
		});
	}

	/* Charts that a page describes itself: lines over a number. */
	function plainPage() {
		(data.charts || []).forEach(function (c) {
			charts.push(function () {
				var unit = c.unit === "s" ? [axisSeconds, seconds] : c.unit === "share" ? [share, share] : [count, count];
				var xAxis = c.time !== undefined ? {} : c.percent ? percentAxis() : {
					axisLabelFormatter: count,
					valueFormatter: function (x) { return c.labels[0] + " " + count(x); }
				};
				c.rows.sort(function (a, b) { return a[0] - b[0]; });
				var rows = c.time !== undefined ? c.rows.map(function (r) { return [new Date((c.time + r[0]) * 1000)].concat(r.slice(1)); }) : c.rows;
				var most = 0;
				if (c.limit !== undefined) c.rows.forEach(function (r) { most = Math.max(most, r[1] || 0); });
				draw(document.getElementById(c.id), rows, {
					labels: c.labels,
					labelsUTC: true,
					dateWindow: c.zero && rows.length ? [0, rows[rows.length - 1][0] * 1.04] : null,
					valueRange: c.limit === undefined ? null : [0, Math.max(most, c.limit) * 1.15 || 1],
					series: c.limit === undefined ? null : { missed: { strokeWidth: 0, pointSize: 5, color: colour("c4") } },
					colors: ["c1", "c2", "c3", "c4", "c5", "c6"].map(colour),
					drawPoints: !c.percent, pointSize: c.points ? 4 : 3, strokeWidth: c.points ? 0 : 1.6,
					connectSeparatedPoints: true,
					axes: {
						x: xAxis,
						y: { axisLabelFormatter: unit[0], valueFormatter: unit[1], axisLabelWidth: 62 }
					},
					underlayCallback: function (context, area, g) {
						context.fillStyle = colour("dim");
						(c.tags || []).forEach(function (t) {
							var x = g.toDomXCoord(t[0]), left = x > area.x + area.w * 0.9;
							label(context, t[2], x + (left ? -7 : 7), g.toDomYCoord(t[1]) - 6, left ? "right" : "left");
						});
						if (c.limit !== undefined) limit(context, area, g, c.limit, "limit", "bad");
						if (c.mark === null || c.mark === undefined) return;
						var x = Math.round(g.toDomXCoord(c.mark)) + 0.5;
						context.strokeStyle = context.fillStyle = colour("c4");
						context.setLineDash([5, 4]);
						context.beginPath();
						context.moveTo(x, area.y);
						context.lineTo(x, area.y + area.h);
						context.stroke();
						context.setLineDash([]);
						label(context, c.mark_text, x + 4, area.y + 2);
					}
				});
			});
		});
	}

	function redraw() {
		root.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
		graphs.forEach(function (g) { g.destroy(); });
		graphs = [];
		timed = [];
		charts.forEach(function (f) { f(); });
	}

	if (data.kind === "run") runPage(); else plainPage();
	redraw();
	/* Printing turns to light colours, too; then no frame comes, and the canvases stay as they are. */
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function () {
		requestAnimationFrame(redraw);
	});
	root.dataset.ready = "1";
}());

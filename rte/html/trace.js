"use strict";
(function () {
	const steps = Array.from(document.querySelectorAll("nav li[data-before]"));
	const panes = { before: document.getElementById("before"), after: document.getElementById("after") };

	function show(pane, number) {
		const shot = document.getElementById("shot" + number);
		pane.replaceChildren();
		if (!shot)
			return;
		const pre = document.createElement("pre");
		pre.append(...Array.from(shot.childNodes, n => n.cloneNode(true)));
		pane.append(pre);
		if (shot.dataset.row === undefined)
			return;
		const cursor = document.createElement("span");
		cursor.className = "cursor";
		cursor.style.top = "calc(.3rem + " + shot.dataset.row + " * 16px)";
		cursor.style.left = "calc(.3rem + " + shot.dataset.col + " * 1ch)";
		pane.append(cursor);
	}

	function go(i) {
		const step = steps[i];
		if (!step)
			return;
		for (const s of steps)
			s.removeAttribute("aria-current");
		step.setAttribute("aria-current", "step");
		step.scrollIntoView({ block: "nearest" });
		show(panes.before, step.dataset.before);
		show(panes.after, step.dataset.after);
		for (const l of document.querySelectorAll(".source li.here"))
			l.classList.remove("here");
		const line = document.getElementById("line" + step.dataset.line);
		if (line) {
			line.classList.add("here");
			const box = line.closest(".source");
			box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 2;
		}
	}

	function current() {
		return steps.findIndex(s => s.hasAttribute("aria-current"));
	}

	steps.forEach((s, i) => s.addEventListener("click", () => go(i)));
	document.addEventListener("keydown", e => {
		const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[e.key];
		if (!by)
			return;
		e.preventDefault();
		go(Math.min(steps.length - 1, Math.max(0, current() + by)));
	});
	const bad = steps.findIndex(s => s.classList.contains("bad"));
	go(bad >= 0 ? bad : steps.length - 1);
})();

// timeline draws how many pods each zone had while the case ran: a row for each zone, seconds to the right.
function timeline(run, placement, seconds) {
  const pods = placement.pods || [];
  if (pods.length < 2) return null;
  const segments = segmentsOf(run);
  const most = Math.max(1, ...segments.map((segment) => Math.max(...steps(pods, segment.name, seconds).map(([, n]) => n))));
  const left = 150, width = 640, right = 30, height = 44, bottom = 24;
  const x = (at) => left + (Math.min(at, seconds) / seconds) * width;
  const rows = segments.map((segment, i) => {
    const base = (i + 1) * height - 6;
    const y = (n) => base - (n / most) * (height - 16);
    const all = steps(pods, segment.name, seconds);
    let line = `M${x(0)},${base}`, before = 0;
    for (const [at, n] of all) {
      line += ` L${x(at)},${y(before)} L${x(at)},${y(n)}`;
      before = n;
    }
    line += ` L${x(seconds)},${y(before)} L${x(seconds)},${base} Z`;
    const peak = Math.max(...all.map(([, n]) => n));
    return s("g", {},
      s("text", { x: left - 10, y: base - 8, "text-anchor": "end" }, zoneOf(segment)),
      s("line", { class: "axis", x1: left, x2: left + width, y1: base, y2: base }),
      s("path", { class: "area", d: line }),
      s("text", { class: "tick", x: left + width + 6, y: base - 8 }, `≤${peak}`));
  });
  const bottomLine = segments.length * height;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => s("text", {
    class: "tick", x: left + part * width, y: bottomLine + 14, "text-anchor": "middle",
  }, `${(part * seconds).toFixed(seconds < 10 ? 1 : 0)} s`));
  const words = segments.map((segment) => `${zoneOf(segment)}: ${steps(pods, segment.name, seconds).map(([at, n]) => `${n} from ${at.toFixed(1)} s`).join(", ")}`);
  return s("svg", {
    class: "timeline", viewBox: `0 0 ${left + width + right} ${bottomLine + bottom}`, role: "img",
    "aria-label": `Pods in each zone over time. ${words.join("; ")}`,
  }, ...rows, ...ticks);
}

// steps are the times at which the number of the segment's pods changed, with the number from then on.
function steps(pods, segment, seconds) {
  const changes = pods.filter((pod) => pod.segment === segment)
    .flatMap((pod) => [[pod.since, 1], [pod.until || seconds, -1]])
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let n = 0;
  const found = [[0, 0]];
  for (const [at, change] of changes) {
    n += change;
    if (found.at(-1)[0] === at) found.at(-1)[1] = n;
    else found.push([at, n]);
  }
  return found;
}

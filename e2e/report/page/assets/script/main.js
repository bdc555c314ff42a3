function drawBar() {
  const bar = byId("bar");
  const counts = bar.dataset.counts.trim().split(" ").map((part) => part.split("="));
  bar.append(...stacked(Object.fromEntries(counts.map(([verdict, n]) => [verdict, Number(n)]))));
}

// open shows what the address names: a row, such as #case-T-EQ-1, whatever the filters say, or what filters leave, such as
// #cases?verdict=fail.
function open(lists) {
  const [section, query] = location.hash.slice(1).split("?");
  const filtered = { cases: lists.case, requirements: lists.requirement }[section];
  if (filtered && query !== undefined) {
    filtered.restore(query);
    byId(section).scrollIntoView({ block: "start" });
    return;
  }
  const [kind] = location.hash.slice(1).split("-", 1);
  const list = lists[kind];
  const row = list && byId(decodeURIComponent(location.hash.slice(1)));
  if (!row) return;
  if (row.hidden) list.clear();
  row.open = true;
  row.scrollIntoView({ block: "start" });
  row.querySelector("summary").focus({ preventScroll: true });
}

// step moves the focus to the next or the previous row that is shown.
function step(by) {
  const all = [...document.querySelectorAll(".row:not([hidden]) > summary")].filter((summary) => !summary.closest("section[hidden]"));
  const now = all.indexOf(document.activeElement);
  const next = all[now < 0 ? 0 : Math.min(all.length - 1, Math.max(0, now + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function keys(lists) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches?.("input, select, textarea");
    if (event.key === "Escape" && typing) { lists.case.clear(); lists.requirement.clear(); event.target.blur(); return; }
    if (typing) return;
    if (event.key === "/") { event.preventDefault(); lists.case.search.focus(); }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });
}

// addCopies puts a button beside each line that can be run again, and one for the address of each finding.
function addCopies() {
  for (const line of document.querySelectorAll(".finding .again")) line.append(" ", copyButton("copy", line.querySelector("code").textContent));
  for (const found of document.querySelectorAll(".finding")) {
    const link = found.querySelector(".case-link");
    link.after(" ", copyButton("copy link", link.href));
  }
}

async function main() {
  addCopies();
  drawBar();
  const data = await unpack("data");
  byId("zones-body").append(...data.runs.map((run, i) => h("div", {}, data.runs.length > 1 && h("h3.area", {}, run.name), zonesOfRun(run, i, data))));
  const lists = { case: listCases(byId("cases-body"), data), requirement: listRequirements(byId("requirements-body"), data) };
  keys(lists);
  open(lists);
  addEventListener("hashchange", () => open(lists));
  addEventListener("beforeprint", () => document.querySelectorAll(".finding, .warnings").forEach((found) => { found.open = true; }));
  performance.mark("ready");
  document.body.dataset.ready = "true";
}

main();

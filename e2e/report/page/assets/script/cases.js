// listCases shows the cases by area, with their filters, and returns how one is opened.
function listCases(into, data) {
  const register = new Map(data.register.map((clause) => [clause.id, clause]));
  const rows = data.cases.map((c) => ({ c, row: caseRow(c, data) }));
  const areas = new Map();
  for (const item of rows) areas.set(item.c.area, [...(areas.get(item.c.area) || []), item]);
  // Cases of another suite, which verify nothing of the register, come last.
  const foreign = ([, items]) => items.every(({ c }) => !c.requirements.length);
  const lists = [...areas].sort((a, b) => foreign(a) - foreign(b)).map(([area, items]) => {
    const count = h("span.muted");
    return { items, count, section: h("section", {}, h("h3.area", {}, area, count), items.map((item) => item.row)) };
  });
  const shown = h("p.shown", { role: "status" });
  const controls = filters({
    name: "cases", items: rows, changed: () => update(),
    text: ({ c }) => `${c.id} ${c.text} ${c.requirements.join(" ")}`,
    choices: [
      { label: "verdict", buttons: true, order: verdicts, of: ({ c }) => c.results.map((result) => result.verdict) },
      { label: "area", of: ({ c }) => [c.area] },
      { label: "requirement", of: ({ c }) => c.requirements, order: data.register.map((clause) => clause.id) },
      { label: "grades", of: ({ c }) => c.requirements.map((id) => register.get(id)?.grades) },
      ...(data.runs.length > 1 ? [{ label: "run", of: ({ c }) => c.results.map((result) => data.runs[result.run].name) }] : []),
    ],
  });
  function update() {
    let all = 0;
    for (const { items, count, section } of lists) {
      const left = items.filter((item) => { item.row.hidden = !controls.matches(item); return !item.row.hidden; });
      section.hidden = !left.length;
      count.textContent = left.length === items.length ? `${items.length}` : `${left.length} of ${items.length}`;
      all += left.length;
    }
    shown.textContent = all === rows.length ? `${all} cases` : `${all} of ${rows.length} cases`;
  }
  into.append(controls.form, shown, ...lists.map((list) => list.section));
  update();
  return controls;
}

function caseRow(c, data) {
  const row = h("details.row", {
    id: `case-${c.id}`,
    ontoggle: () => { if (row.open && row.children.length === 1) row.append(caseBody(c, data)); },
  }, h("summary", {},
    h("span.chips", {}, chips(c, data)),
    h("span.what", {}, h("span.id", {}, c.id), " ", h("span", {}, c.text)),
    h("span.seconds", {}, time(Math.max(...c.results.map((result) => result.seconds))))));
  return row;
}

// chips are the verdicts of a case: one for all runs that agree.
function chips(c, data) {
  const found = c.results.map((result) => result.verdict);
  if (new Set(found).size === 1) return [chip(found[0])];
  return c.results.map((result) => chip(result.verdict, data.runs[result.run].name));
}

// stateOf is a clause's verdict in all runs together, or why it has none.
function stateOf(clause, data) {
  const found = worst(clause.verdicts);
  if (found) return found;
  if (!clause.tiers?.length) return "untestable";
  if (clause.without) return "uncovered";
  return clause.tiers.some((tier) => data.runs.some((run) => run.tier === tier)) ? "not asked" : `${clause.tiers[0]} tier`;
}

// listRequirements shows the register by area, with how much of it the runs cover.
function listRequirements(into, data) {
  const rows = data.register.map((clause) => ({ clause, state: stateOf(clause, data) }));
  for (const item of rows) item.row = clauseRow(item, data);
  const areas = new Map();
  for (const item of rows) areas.set(item.clause.area, [...(areas.get(item.clause.area) || []), item]);
  const shown = h("p.shown", { role: "status" });
  const sections = [...areas].map(([area, items]) => ({ items, section: h("section", {}, h("h3.area", {}, area), items.map((item) => item.row)) }));
  const controls = filters({
    name: "requirements", items: rows, changed: () => update(),
    text: ({ clause }) => `${clause.id} ${clause.text} ${clause.source}`,
    choices: [
      { label: "verdict", buttons: true, order: [...verdicts, "not asked", "spec tier", "cluster tier", "uncovered", "untestable"], of: (item) => [item.state] },
      { label: "area", of: ({ clause }) => [clause.area] },
      { label: "level", of: ({ clause }) => [clause.level] },
      { label: "grades", of: ({ clause }) => [clause.grades] },
    ],
  });
  function update() {
    let all = 0;
    for (const { items, section } of sections) {
      const left = items.filter((item) => { item.row.hidden = !controls.matches(item); return !item.row.hidden; });
      section.hidden = !left.length;
      all += left.length;
    }
    const of = all === rows.length ? `${all}` : `${all} of ${rows.length}`;
    shown.textContent = `${of} requirements`;
  }
  const coverage = h("div.coverage", {}, [...areas].map(([area, items]) => coverageOf(area, items, () => { controls.clear(); controls.set("area", area); update(); })));
  into.append(coverage, controls.form, shown, ...sections.map((s) => s.section));
  update();
  return controls;
}

// coverageOf is how many requirements of an area were exercised.
function coverageOf(area, items, choose) {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, items.filter((item) => item.state === verdict).length]));
  const exercised = counts.pass + counts.fail + counts.warn + counts.error;
  return h("button", { type: "button", onclick: choose }, `${area} `, h("span.numbers", {}, `${exercised} of ${items.length}`),
    h("div.bar", { "aria-hidden": "true" }, stacked({ fail: counts.fail, error: counts.error, warn: counts.warn, pass: counts.pass, skip: items.length - exercised })));
}

function clauseRow({ clause, state }, data) {
  const row = h("details.row", {
    id: `requirement-${clause.id}`,
    ontoggle: () => { if (row.open && row.children.length === 1) row.append(clauseBody(clause, data)); },
  }, h("summary", {},
    h("span.chips", {}, chipOfState(state)),
    h("span.what", {}, h("span.id", {}, clause.id), " ", clause.text),
    h("span.binds", {}, `${clause.level}, ${clause.grades}`)));
  return row;
}

const chipOfState = (state) => h(`span.chip.${verdicts.includes(state) ? state : "skip"}`, {}, state);

function clauseBody(clause, data) {
  return h("div.body", {},
    h("p", {}, clause.link ? h("a", { href: clause.link, rel: "noreferrer" }, clause.source) : clause.source),
    clause.position && h("p", {}, h("b", {}, "How the suite reads it: "), clause.position),
    clause.observable && h("p", {}, h("b", {}, "Seen by: "), clause.observable),
    clause.without && h("p", {}, h("b", {}, "Why there is no case: "), clause.without),
    data.runs.length > 1 && h("ul", {}, data.runs.map((run, i) => clause.verdicts[i] && h("li", {}, run.name, " ", chip(clause.verdicts[i])))),
    clause.cases.length > 0 && [h("h4", {}, `Cases (${clause.cases.length})`),
      h("ul.tags", {}, clause.cases.map((id) => h("li", {}, h("a", { href: `#case-${id}` }, id))))]);
}

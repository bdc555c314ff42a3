// caseBody is what a case shows once it is opened.
function caseBody(c, data) {
  return h("div.body", {},
    c.requirements.length > 0 && [h("h4", {}, "Verifies"), h("ul.verifies", {}, c.requirements.map((id) => requirementLine(id, data)))],
    c.results.map((result) => resultBody(c, result, data)));
}

function requirementLine(id, data) {
  const known = data.register.find((clause) => clause.id === id);
  return h("li", {}, h("a.id", { href: `#requirement-${id}` }, id), known && ` ${known.text}`,
    known && h("span.binds", {}, ` ${known.level}, ${known.grades}`));
}

function resultBody(c, result, data) {
  const run = data.runs[result.run];
  const calls = h("div");
  if (result.calls) drawCalls(calls, result, run);
  return h("section.result", {},
    data.runs.length > 1 && h("h4", {}, run.name, " ", chip(result.verdict), ` ${time(result.seconds)}`),
    result.blamed && h("p", {}, result.verdict === "fail" ? "contradicts " : "about ", h("b", {}, result.blamed.join(", "))),
    result.reason && h("p", {}, result.decidedBy && h("span.tag", {}, result.decidedBy), result.decidedBy && " ", result.reason),
    result.message && block("Message", result.message),
    run.again && h("p.again", {}, "again: ", h("code", {}, `${run.again} ${c.id}`), " ", copyButton("copy", `${run.again} ${c.id}`)),
    result.waived && [h("h4", {}, "Waived"), result.waived.map((aside) => [
      h("p", {}, aside.clauses && h("b", {}, aside.clauses.join(", ")), aside.clauses && ": ", aside.reason), block("What is waived", aside.message)])],
    result.placement && [h("h4", {}, "Where it landed"), landed(run, result.placement)],
    result.placement && overTime(run, result),
    result.evidence && [h("h4", {}, "Evidence"), result.evidence.map((e) => h("details", {}, h("summary", {}, e.name), block(e.name, e.text)))],
    result.calls && [h("h4", {}, `Calls (${result.calls[1] - result.calls[0] + 1})`), calls]);
}

function overTime(run, result) {
  const drawn = timeline(run, result.placement, result.seconds);
  return drawn && [h("h4", {}, "Pods per zone over time"), drawn];
}

async function drawCalls(into, result, run) {
  const calls = await callsOf(result);
  into.append(calls && !calls.includes(null) ? sequence(calls, run.tier)
    : h("p.muted", {}, `Lines ${result.calls[0]} to ${result.calls[1]} of calls.jsonl: this page has no room for these calls.`));
}

const block = (name, text) => h("pre", { tabIndex: 0, role: "group", "aria-label": name }, text);

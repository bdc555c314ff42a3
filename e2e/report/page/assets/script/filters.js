// filters makes the controls of a list. Each of the choices gives the values that an item has; a search looks at its text.
// What is chosen is asked of matches; changed is called after each change. The address has what the user chose, such as
// #cases?verdict=fail, and restore chooses what such an address has.
function filters({ name, items, choices, text, changed }) {
  const chosen = new Map();
  const byUser = () => { changed(); remember(); };
  const search = h("input", { type: "search", placeholder: "id or text", oninput: byUser });
  const controls = choices.map((choice) => (choice.buttons ? buttons(choice, items, chosen, byUser) : select(choice, items, chosen, byUser)));
  const reset = h("button", { type: "button", onclick: () => { clear(); remember(); } }, "Show all");
  const form = h("form.filters", { onsubmit: (event) => event.preventDefault(), "aria-label": `Filter ${name}` },
    controls.map((control) => control.element), h("label", {}, "search", search), reset);

  function clear() {
    search.value = "";
    controls.forEach((control) => control.set(""));
    changed();
  }
  function remember() {
    const query = new URLSearchParams(choices.filter((choice) => chosen.get(choice)).map((choice) => [choice.label, chosen.get(choice)]));
    if (search.value.trim()) query.set("search", search.value.trim());
    history.replaceState(null, "", `#${name}${query.size ? `?${query}` : ""}`);
  }
  function restore(address) {
    const query = new URLSearchParams(address);
    choices.forEach((choice, i) => controls[i].set(query.get(choice.label) || ""));
    search.value = query.get("search") || "";
    changed();
  }
  function matches(item) {
    const wanted = search.value.trim().toLowerCase();
    return choices.every((choice) => !chosen.get(choice) || choice.of(item).includes(chosen.get(choice)))
      && (!wanted || text(item).toLowerCase().includes(wanted));
  }
  const set = (label, value) => controls[choices.findIndex((choice) => choice.label === label)].set(value);
  return { form, search, matches, clear, restore, set };
}

function tally(choice, items) {
  const counts = new Map();
  for (const item of items) for (const value of new Set(choice.of(item))) if (value) counts.set(value, (counts.get(value) || 0) + 1);
  const order = choice.order || [...counts.keys()];
  return order.filter((value) => counts.has(value)).map((value) => [value, counts.get(value)]);
}

function select(choice, items, chosen, changed) {
  const element = h("select", { onchange: () => { chosen.set(choice, element.value); changed(); } },
    h("option", { value: "" }, "all"), tally(choice, items).map(([value, n]) => h("option", { value }, `${value} (${n})`)));
  const set = (value) => { element.value = value; chosen.set(choice, value); };
  return { element: h("label", {}, choice.label, element), set };
}

function buttons(choice, items, chosen, changed) {
  const all = tally(choice, items).map(([value, n]) => h("button", {
    type: "button", value, "aria-pressed": "false",
    onclick: () => { set(chosen.get(choice) === value ? "" : value); changed(); },
  }, `${value} ${n}`));
  function set(value) {
    chosen.set(choice, value);
    for (const button of all) button.setAttribute("aria-pressed", String(button.value === value));
  }
  return { element: h("fieldset", {}, h("legend", {}, choice.label), all), set };
}

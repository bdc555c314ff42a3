// h makes an element. Properties that begin with "on" are listeners, and children that are null or false are left out.
function h(tag, properties, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  assign(element, properties);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// s makes an element of SVG.
function s(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function assign(element, properties) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
}

const byId = (id) => document.getElementById(id);

const chip = (verdict, title) => h(`span.chip.${verdict}`, title ? { title } : {}, verdict);

// copyButton makes a button that copies a text. If the page may not write to the clipboard, the button shows the text to copy.
function copyButton(label, text) {
  const button = h("button.copy", {
    type: "button", title: text, "aria-live": "polite",
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "copied";
      } catch {
        prompt("Copy this:", text);
      }
    },
  }, label);
  return button;
}

// stacked is a bar whose parts are as long as the numbers of their verdicts.
function stacked(counts) {
  return Object.entries(counts).filter(([, n]) => n > 0).map(([verdict, n]) => {
    const part = h(`span.${verdict}`);
    part.style.flexGrow = n;
    return part;
  });
}

function bytes(n) {
  for (const [unit, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]) {
    if (n >= size) return `${+(n / size).toFixed(n % size ? 1 : 0)} ${unit}`;
  }
  return `${n} B`;
}

function time(seconds) {
  if (seconds >= 10) return `${seconds.toFixed(0)} s`;
  if (seconds >= 0.1) return `${seconds.toFixed(1)} s`;
  return `${(seconds * 1000).toFixed(seconds >= 0.01 ? 0 : 1)} ms`;
}

// unpack reads a compressed block of the page.
async function unpack(id) {
  const block = byId(id);
  if (!block) return null;
  const packed = Uint8Array.from(atob(block.textContent.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

const callsOfRun = new Map();

// callsOf reads the calls of one result; those of a run are unpacked when the first of them is asked for.
async function callsOf(result) {
  if (!result.calls) return [];
  if (!callsOfRun.has(result.run)) callsOfRun.set(result.run, unpack(`calls-${result.run}`));
  const all = await callsOfRun.get(result.run);
  return all ? all.slice(result.calls[0] - 1, result.calls[1]) : null;
}

// From the worst to what says least.
const verdicts = ["fail", "error", "warn", "pass", "not-exercised", "skip"];

const worst = (found) => verdicts.find((verdict) => found.includes(verdict)) || "";

const verdictOf = (c) => worst(c.results.map((result) => result.verdict));

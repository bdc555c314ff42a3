// segmentsOf are the segments of a run; a report that knows no more than the names of zones gives those.
function segmentsOf(run) {
  return run.segments || (run.zones || []).map((name) => ({ name, topology: {} }));
}

const regionOf = (segment) => {
  const key = Object.keys(segment.topology || {}).find((k) => k.endsWith("/region"));
  return key ? segment.topology[key] : "";
};

// zoneOf is the segment without the region, which the map shows around it.
const zoneOf = (segment) => {
  const values = Object.entries(segment.topology || {}).filter(([key]) => !key.endsWith("/region")).map(([, value]) => value);
  return values.length ? values.join(" / ") : segment.name;
};

// map draws the segments, by region. inside gives what a zone shows below its name, and onNode what a node does.
function map(segments, inside, onNode) {
  const regions = new Map();
  for (const segment of segments) {
    const region = regionOf(segment);
    regions.set(region, [...(regions.get(region) || []), segment]);
  }
  return h("div.map", {}, [...regions].map(([region, zones]) => h("div.region", {},
    h("p.name", {}, region ? `region ${region}` : "no region"),
    h("div.zones", {}, zones.map((segment) => h("div.zone", {},
      inside(segment),
      (segment.nodes || []).map((node) => h("div.node", {}, h("span.name", {}, node), onNode(segment, node)))))))));
}

// zonesOfRun is the map of a run: the room of each zone, its nodes, and how many volumes and pods landed there.
function zonesOfRun(run, number, data) {
  const segments = segmentsOf(run);
  if (!segments.length) return h("p.muted", {}, "The report names no zones.");
  const most = Math.max(...segments.map((segment) => segment.bytes || 0));
  const volumes = new Map(), pods = new Map(), podsOn = new Map();
  const add = (counts, key) => counts.set(key, (counts.get(key) || 0) + 1);
  for (const c of data.cases) {
    for (const result of c.results) {
      if (result.run !== number || !result.placement) continue;
      for (const volume of result.placement.volumes || []) (volume.segments || []).forEach((name) => add(volumes, name));
      for (const pod of result.placement.pods || []) { add(pods, pod.segment); add(podsOn, pod.node); }
    }
  }
  return map(segments, (segment) => [
    h("p.name", {}, zoneOf(segment), room(segment)),
    segment.bytes !== undefined && meter(segment.bytes, most),
    h("div.things", {},
      volumes.has(segment.name) && h("span.thing.volume", {}, `${volumes.get(segment.name)} volumes`),
      pods.has(segment.name) && h("span.thing.pod", {}, `${pods.get(segment.name)} pods`)),
  ], (segment, node) => podsOn.has(node) && h("div.things", {}, h("span.thing.pod", {}, `${podsOn.get(node)} pods`)));
}

const room = (segment) => segment.bytes !== undefined && h("span.room", {}, `${bytes(segment.bytes)} available`);

function meter(value, most) {
  const part = h("span");
  part.style.width = `${most ? (100 * value) / most : 0}%`;
  return h("div.meter", { "aria-hidden": "true" }, part);
}

// landed is the map of one case: its volumes in their zones, its pods on their nodes.
function landed(run, placement) {
  const volumes = placement.volumes || [], pods = placement.pods || [];
  const known = segmentsOf(run);
  const elsewhere = volumes.filter((volume) => !(volume.segments || []).length);
  return [
    map(known, (segment) => [
      h("p.name", {}, zoneOf(segment)),
      h("div.things", {}, volumes.filter((volume) => (volume.segments || []).includes(segment.name)).map(volumeTag)),
    ], (segment, node) => h("div.things", {}, pods.filter((pod) => pod.node === node).map(podTag))),
    elsewhere.length > 0 && h("div.things", {}, "Accessible from everywhere, or nobody said where: ", elsewhere.map(volumeTag)),
    h("p.legend", {}, h("span.thing.volume", {}, "volume"), " in every zone that it is accessible from",
      pods.length > 0 && [" · ", h("span.thing.pod", {}, "pod"), " on its node, ", h("span.thing.pod.ended", {}, "dashed"), " once it has ended or moved"]),
  ];
}

const volumeTag = (volume) => h("span.thing.volume", {}, volume.name, volume.bytes ? ` ${bytes(volume.bytes)}` : "",
  (volume.segments || []).length > 1 && ` (in ${volume.segments.length} zones)`);

function podTag(pod) {
  const tag = h("span.thing.pod", {}, pod.name);
  if (pod.until) tag.classList.add("ended");
  return tag;
}

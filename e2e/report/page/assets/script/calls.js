// Who calls what in Kubernetes. Everything else of the controller is asked by the provisioner.
const callers = {
  ControllerPublishVolume: "csi-attacher", ControllerUnpublishVolume: "csi-attacher", ListVolumes: "csi-attacher",
  ControllerExpandVolume: "csi-resizer", ControllerModifyVolume: "csi-resizer",
  CreateSnapshot: "csi-snapshotter", DeleteSnapshot: "csi-snapshotter", ListSnapshots: "csi-snapshotter", GetSnapshot: "csi-snapshotter",
};

// lanesOf says between whom a call goes: in a cluster a sidecar or a node's kubelet asks, else the suite does.
function lanesOf(call, tier) {
  const name = call.method.split("/").pop();
  const ofNode = call.method.includes(".Node/");
  if (tier !== "cluster") return ["csi-topo", call.endpoint || "the driver"];
  if (ofNode) return [`kubelet ${call.node || ""}`.trim(), `driver ${call.node || ""}`.trim()];
  return [callers[name] || "csi-provisioner", "controller"];
}

// sequence draws calls between those who made them and the driver. Calls that repeat the one before are one line.
function sequence(calls, tier) {
  const lines = [];
  calls.forEach((call, i) => {
    const [from, to] = lanesOf(call, tier);
    const last = lines.at(-1);
    if (last && last.call.method === call.method && last.call.code === call.code && last.from === from && last.to === to && last.same(call)) {
      last.all.push([i + 1, call]);
      return;
    }
    lines.push({ call, from, to, all: [[i + 1, call]], same: (other) => JSON.stringify(other.request) === JSON.stringify(call.request) });
  });
  const order = ["csi-topo", "csi-provisioner", "csi-attacher", "csi-resizer", "csi-snapshotter", "controller", "the controller"];
  const place = (lane) => (order.includes(lane) ? order.indexOf(lane) : order.length);
  // A node's driver and its kubelet stand side by side.
  const node = (lane) => lane.replace(/^(kubelet|driver) /, "");
  const lanes = [...new Set(lines.flatMap((line) => [line.from, line.to]))]
    .sort((a, b) => place(a) - place(b) || node(a).localeCompare(node(b), undefined, { numeric: true }) || a.localeCompare(b));
  const many = 300;
  const list = h("ol", {}, lines.slice(0, many).map((line) => callLine(line, lanes)));
  const drawn = h("div.sequence", { tabIndex: 0, role: "group", "aria-label": "Calls in their order" },
    h("div.lanes", { "aria-hidden": "true" }, h("span"), lanes.map((lane) => h("span", {}, lane))), list);
  drawn.style.setProperty("--lanes", lanes.length);
  if (lines.length <= many) return drawn;
  const more = h("button", { type: "button", onclick: () => { list.append(...lines.slice(many).map((line) => callLine(line, lanes))); more.remove(); } },
    `Show the other ${lines.length - many} lines`);
  return h("div", {}, drawn, more);
}

// topic is what a call is about in a word or two: the zones of a volume, or the node that it is published to.
function topic(call) {
  const zones = (topologies) => topologies.filter(Boolean).map((topology) => zoneOf({ topology: topology.segments })).filter(Boolean).join(", ");
  const request = call.request || {}, response = call.response || {};
  if (request.accessible_topology) return zones([request.accessible_topology]);
  if (response.volume?.accessible_topology) return `→ ${zones(response.volume.accessible_topology)}`;
  return request.node_id || "";
}

function callLine(line, lanes) {
  const { call, all } = line;
  const [from, to] = [lanes.indexOf(line.from), lanes.indexOf(line.to)];
  const arrow = h(`span.arrow.${from < to ? "right" : "left"}`, {},
    h("span.aside", {}, `${line.from} calls `), call.method.split("/").pop(), h("span.aside", {}, ` of ${line.to}`), all.length > 1 && ` ×${all.length}`,
    topic(call) && h("span.topic", {}, ` ${topic(call)}`),
    call.code !== "OK" && h("span.code", {}, ` ${call.code}`),
    h("span.took", {}, ` ${time(all.reduce((sum, [, c]) => sum + c.seconds, 0))}`));
  if (call.code !== "OK") arrow.classList.add("refused");
  arrow.style.gridColumn = `${Math.min(from, to) + 2} / ${Math.max(from, to) + 3}`;
  const label = h("summary", {}, h("span.n", {}, String(all[0][0])), arrow);
  const details = h("details.call", {
    ontoggle: () => { if (details.open && details.children.length === 1) details.append(messages(all)); },
  }, label);
  return h("li", {}, details);
}

function messages(all) {
  const shown = all.slice(0, 10);
  return h("div.messages", {}, shown.map(([, call]) => h("pre", { tabIndex: 0, role: "group", "aria-label": "Request and answer" },
    [
      call.time && `at ${call.time}`,
      `request ${JSON.stringify(call.request ?? null, null, 2)}`,
      call.code === "OK" ? `answer ${JSON.stringify(call.response ?? null, null, 2)}` : `${call.code}: ${call.message || ""}`,
      call.injected && `answered for the driver: ${JSON.stringify(call.injected)}`,
    ].filter(Boolean).join("\n"))), all.length > shown.length && h("p.muted", {}, `and ${all.length - shown.length} more`));
}

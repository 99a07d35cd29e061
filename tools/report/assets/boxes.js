// ---- Boxes around the groups of a drawing, and shades behind its regions.

const BOX = { margin: 8, title: 14, character: 6.2, shade: 9, hues: 6 };

// The nodes of a drawing by a field of their ops, where several have the same.
function membersBy(field, nodes, ops) {
  const found = new Map();
  for (const node of nodes) {
    const key = node[NODE.kind] === "op" && ops[node[NODE.ref]][field];
    if (key) found.set(key, [...(found.get(key) || []), node]);
  }
  return [...found].filter(([, members]) => members.length > 1);
}

function groupBoxes(nodes, ops) {
  return membersBy("group", nodes, ops).flatMap(([title, members]) => {
    const left = Math.min(...members.map((node) => node[NODE.x] - node[NODE.width] / 2)) - BOX.margin;
    const right = Math.max(...members.map((node) => node[NODE.x] + node[NODE.width] / 2)) + BOX.margin;
    const top = Math.min(...members.map((node) => node[NODE.y] - node[NODE.height] / 2)) - BOX.margin - BOX.title;
    const bottom = Math.max(...members.map((node) => node[NODE.y] + node[NODE.height] / 2)) + BOX.margin;
    const width = Math.max(right - left, title.length * BOX.character + 12);
    return [
      make("rect", { class: "group-box", x: left, y: top, width, height: bottom - top, rx: 6 }),
      make("text", { class: "box-title", x: left + 6, y: top + 14 }, title),
    ];
  });
}

// A region may reach around ops of others, so its shade is behind its own nodes and the edges between them only.
function regionShades(nodes, edges, ops) {
  const regions = membersBy("region", nodes, ops);
  return regions.flatMap(([title, members], index) => {
    const inside = new Set(members);
    const hue = `shade shade-${index % BOX.hues}`;
    const rects = members.map((node) => make("rect", {
      class: hue, rx: 10, x: node[NODE.x] - node[NODE.width] / 2 - BOX.shade, y: node[NODE.y] - node[NODE.height] / 2 - BOX.shade,
      width: node[NODE.width] + 2 * BOX.shade, height: node[NODE.height] + 2 * BOX.shade,
    }));
    const curves = edges.filter(([source, target, path]) => path && inside.has(nodes[source]) && inside.has(nodes[target]))
      .map(([, , path]) => make("path", { class: `${hue} shade-edge`, d: path }));
    // Below the last node: the title of a group is above its first one.
    const last = members[members.length - 1];
    const at = { "text-anchor": "end", x: last[NODE.x] - 8, y: last[NODE.y] + last[NODE.height] / 2 + BOX.shade + 11 };
    return [make("g", { class: "region" }, ...curves, ...rects), make("text", { class: "box-title", ...at }, title)];
  });
}

// The kinds of boxes that a program has.
const boxKinds = ({ ops }) => ["group", "region"].filter((field) => ops.some((op) => op[field]));

function setUpBoxes() {
  const kinds = [...new Set(data.programs.flatMap(boxKinds))];
  const texts = { group: "fused groups", region: "regions", both: "groups and regions", none: "none" };
  const choices = [...(kinds.length > 1 ? ["both"] : []), ...kinds, "none"];
  byId("boxes").append(...choices.map((kind) => make("option", { value: kind }, texts[kind])));
  byId("boxes").value = kinds[0] || "none";
  byId("boxes").disabled = !kinds.length;
  byId("boxes").addEventListener("change", () => panes.forEach((pane) => pane.draw()));
}

// What is drawn behind the nodes and edges.
function boxes({ nodes, edges }, ops) {
  const chosen = byId("boxes").value;
  return [
    ...(["region", "both"].includes(chosen) ? regionShades(nodes, edges, ops) : []),
    ...(["group", "both"].includes(chosen) ? groupBoxes(nodes, ops) : []),
  ];
}

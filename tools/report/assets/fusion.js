// ---- Fusion: a row for each group, with the ops on their stages.

function showFusion() {
  const at = data.programs.length - 1;
  const { fusions, ops } = data.programs[at];
  const panel = byId("fusion");
  for (const fusion of fusions) {
    if (fusions.length > 1) panel.append(make("h2", {}, `@${fusion.name}`));
    panel.append(make("ul", { class: "figures" }, ...fusion.lines.map((line) => make("li", {}, line))));
    if (fusion.groups.length) panel.append(lanes(fusion, ops, at));
    if (fusion.outside.length) panel.append(make("h3", {}, "in no group"), outsideTable(fusion.outside, ops, at));
  }
  if (!fusions.length) panel.append(make("p", {}, "No pass has fused ops: --fuse-ops-hw, --fuse-ops and --npu-default do."));
}

// The rows with equal keys as one: the first of them with a count and the sum of a figure.
function alike(rows, key, figure) {
  const found = new Map();
  for (const row of rows) {
    const old = found.get(key(row));
    if (!old) found.set(key(row), { ...row, count: 1, sum: figure(row) });
    else { old.count += 1; old.sum += figure(row); }
  }
  return [...found.values()];
}

function lanes(fusion, ops, at) {
  const look = ({ ops: members, began }) => members.map((op) => `${ops[op].kind} ${ops[op].stage}`).join() + generic(began);
  const rows = alike(fusion.groups, look, (group) => group.kept);
  const isOn = (stage) => (row) => row.ops.filter((op) => (ops[op].stage || "") === stage);
  const chips = (members) => make("span", { class: "chips" }, ...members.map((op) => opLink(at, op, ops[op].kind)));
  const lane = (stage, title) => column(title, (row) => isOn(stage)(row).map((op) => ops[op].kind).join(), false, (row) => chips(isOn(stage)(row)));
  const hasStages = fusion.stages.length > 0;
  const columns = [
    column("group", (row) => row.name.split(" ")[1].padStart(6), false, (row) => row.name),
    column("times", (row) => row.count, true),
    ...fusion.stages.map((stage) => lane(stage, stage)),
    ...(rows.some((row) => isOn("")(row).length) ? [lane("", hasStages ? "with them" : "ops")] : []),
    ...(hasStages ? [
      column("bytes kept on chip", (row) => row.sum, true, (row) => row.sum.toLocaleString("en")),
      column("not in the group before, because", (row) => row.began, false, (row) => make("div", { class: "lines" }, row.began)),
    ] : []),
  ];
  const found = table(columns, rows);
  found.classList.add("lanes");
  return found;
}

function outsideTable(outside, ops, at) {
  const rows = alike(outside.map(([op, reason]) => ({ op, reason })), ({ op, reason }) => ops[op].kind + reason, () => 0);
  return table([
    column("op", ({ op }) => ops[op].kind, false, ({ op }) => opLink(at, op, ops[op].kind)),
    column("times", ({ count }) => count, true),
    column("reason", ({ reason }) => reason),
  ], rows);
}

// ---- The overview: what the run did, what is left and why, and what would remove it.

const MOST_ROWS = 6;
const MOST_CHANGES = 4;

// Bytes in the largest unit of which there is one.
function sizeText(bytes, row = {}) {
  const about = row.is_estimate || row.assumed_size ? "~" : "";
  const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** power;
  return `${about}${power && amount < 100 ? amount.toPrecision(3) : Math.round(amount)} ${["bytes", "KiB", "MiB", "GiB", "TiB"][power]}`;
}

const sizeCell = (bytes, row) => make("span", { title: `${bytesText(row, bytes)} bytes` }, sizeText(bytes, row));
const costText = (cost) => cost.toLocaleString("en", { maximumFractionDigits: cost < 100 ? 2 : 0 });

// ---- Figures before and after, and what is proved of them.

// The noun for what is counted: packs and unpacks of blocks as well, if there are some.
const noun = () => data.passes.some(({ packs }) => packs) ? "conversions" : "transposes";

function figure(label, before, after, text) {
  const value = before === null || before === after ? [text(after)] : [make("span", { class: "quiet" }, `${text(before)} \u2192 `), text(after)];
  const change = before > after ? `\u2212${(100 * (before - after) / before).toFixed(0)} %` : "";
  return make("div", { class: "card" }, make("dt", {}, label), make("dd", {}, ...value, ...(change ? [make("small", {}, change)] : [])));
}

function showFigures(panel) {
  const first = data.passes[0];
  const last = data.passes[data.passes.length - 1];
  const pair = (key) => [data.passes.length > 1 ? key(first) : null, key(last)];
  const assumed = first.assumed_size || last.assumed_size;
  const about = assumed ? ` (unknown sizes count as ${assumed}, first ones as 1)` : "";
  const scope = data.facts.some(([label]) => label === "left unchanged") ? ", not counting ops left unchanged" : "";
  const cards = [
    figure(`${noun()}${scope}`, ...pair((row) => row.transposes + (row.packs || 0)), String),
    figure(`data they move${about}`, ...pair((row) => row.bytes + (row.packed_bytes || 0)), (bytes) => sizeText(bytes, last)),
    ...(last.unit ? [figure(last.unit, ...pair((row) => row.cost || 0), costText)] : []),
    ...(last.absorbed ? [figure("absorbed by groups", null, last.absorbed, String)] : []),
  ];
  const words = data.facts.filter(([label]) => !["left unchanged", "note", "stays", "command", "versions"].includes(label));
  const facts = words.map(([label, text]) => make("div", { class: /^(proved|equal)/.test(text) ? "fact proved" : "fact" }, make("dt", {}, label), make("dd", {}, text)));
  panel.append(make("dl", { class: "cards" }, ...cards, make("div", { class: "facts" }, ...facts)));
}

// ---- The transposes that are left.

const generic = (text) => text.replace(/_?\d+/g, "");

// A name without the numbers of repeated blocks: those of its scopes, or all of a name without scopes.
function withoutBlocks(name) {
  const parts = name.split("/");
  return parts.length > 2 ? [...parts.slice(0, -1).map(generic), parts[parts.length - 1]].join("/") : generic(name);
}

// The name of an op with the scopes that the model notes beside it.
const fullName = (op) => op.scope ? `${op.scope}/${nameOf(op)}` : nameOf(op);

// What the names of an op in several blocks have in common. The numbers of names without scopes count through the model.
const alikeName = (op) => op.scope ? generic(fullName(op)) : withoutBlocks(nameOf(op));

// The name of several ops: numbers in which they differ become `*`, also where the first one has none.
function commonName(names) {
  let parts = names.map((name) => name.split(/(\d+)/));
  if (parts.some(({ length }) => length !== parts[0].length)) parts = names.map((name) => name.split(/(_?\d+)/));
  const longest = parts.reduce((one, other) => other.length > one.length ? other : one);
  return longest.map((part, at) => parts.every((each) => (each[at] ?? "") === part) ? part : "*").join("");
}

// A reason without the path between its ends, with the last parts of names: the whole text is in the graph.
const brief = (text) => text.replace(/^[\w-]+: /, "").replace(/ \(through (?:\([^()]*\)|[^()])*\)/g, "")
  .replace(/(?:[\w.$-]*\/)+([\w.$-]+\/[\w.$-]+)/g, "$1");

const reasonOf = (op) => (op.notes || []).find((note) => !/: relayout$/.test(note)) || "";

// The transposes of the last program; those alike in several blocks are one row.
function rowsOfTransposes(ops) {
  const found = new Map();
  ops.forEach((op, index) => {
    if (!isMove(op)) return;
    const key = [alikeName(op), op.move, op.style, generic(brief(reasonOf(op)))].join("|");
    if (!found.has(key)) found.set(key, { op, index, names: [], shapes: [], bytes: 0, cost: 0, is_estimate: false });
    const row = found.get(key);
    row.names.push(fullName(op));
    if (!row.shapes.includes(op.shape)) row.shapes.push(op.shape);
    row.cost += op.cost || 0;
    row.bytes += op.bytes || 0;
    row.is_estimate ||= op.is_estimate;
  });
  return joinedRows([...found.values()]);
}

const scopeOf = (name) => name.slice(0, name.lastIndexOf("/") + 1);

// The rows of one scope that the same demands keep and the same changes remove, such as those of an attention, as one.
function joinedRows(rows) {
  const found = new Map();
  rows.forEach((row) => {
    const scope = scopeOf(alikeName(row.op));
    const demands = (reasonOf(row.op).match(/\([\w.-]+\.toml:\d+\)/g) || []).sort();
    const removal = row.op.removal || [];
    const key = scope && demands.length && removal.length ? JSON.stringify([scope, row.op.style, [...new Set(demands)], removal]) : row;
    found.set(key, [...(found.get(key) || []), row]);
  });
  const sum = (parts, key) => parts.reduce((total, part) => total + part[key], 0);
  return [...found.values()].map((parts) => parts.sort((one, other) => one.index - other.index)).map((parts) => ({
    ...parts[0], parts, names: parts.flatMap(({ names }) => names), shapes: [...new Set(parts.flatMap(({ shapes }) => shapes))],
    bytes: sum(parts, "bytes"), cost: sum(parts, "cost"), is_estimate: parts.some((part) => part.is_estimate),
  }));
}

function transposeCell(row, at) {
  const [first, ...others] = row.parts.map(({ names }) => commonName(names));
  const label = [first, ...others.map((name) => name.slice(scopeOf(name).length))].join(", ");
  const reasons = [...new Set(row.parts.map(({ op }) => reasonOf(op)))];
  const more = reasons.length > 1 ? `; ${reasons.length - 1} more like this` : "";
  return make("div", {}, opLink(at, row.index, label),
    make("p", { class: "reason", title: reasons.join("\n") }, reasons[0] ? brief(reasons[0]) + more : "it was in the program"));
}

const movesOf = ({ parts }) => [...new Set(parts.map(({ op }) => op.move))].join("; ");

// The changes that save something, in the order in which they are numbered.
const savingChanges = () => data.changes.slice(1).filter(({ saves }) => saves);

// The numbers of the changes that would help a transpose: those of an end of its conflict, and those that leave none.
function helpCell({ op: { removal = [] } }) {
  const numbers = savingChanges().flatMap(({ change, transposes }, index) => !transposes || removal.some((text) => text.startsWith(`${change}: `)) ? [index + 1] : []);
  return make("span", { title: removal.join("\n") || "no single change" }, numbers.length ? numbers.join(", ") : "\u2013");
}

function shownShapes(shapes) {
  const more = shapes.length > 1 ? `, ${shapes.length - 1} more size${shapes.length > 2 ? "s" : ""}` : "";
  return `${shapes[0]}${more}`;
}

function transposesTable() {
  const at = data.programs.length - 1;
  const { unit } = data.passes[data.passes.length - 1];
  const weight = (row) => unit ? row.cost : row.bytes;
  const rows = rowsOfTransposes(data.programs[at].ops).sort((a, b) => weight(b) - weight(a) || b.bytes - a.bytes);
  const all = rows.reduce((sum, row) => sum + weight(row), 0) || 1;
  const text = (row) => unit ? costText(row.cost) : sizeText(row.bytes, row);
  return rows.length ? table([
    column("transpose", (row) => nameOf(row.op), false, (row) => transposeCell(row, at)),
    column("times", (row) => row.names.length, true),
    column("from and to", movesOf, false, (row) => make("div", { class: "move" }, movesOf(row), make("p", { class: "quiet", title: row.shapes.join("\n") }, shownShapes(row.shapes)))),
    ...(data.changes.length ? [column("removed by", (row) => (row.op.removal || []).length, true, helpCell)] : []),
    ...(unit ? [column("data", (row) => row.bytes, true, (row) => sizeCell(row.bytes, row))] : []),
    column(unit || "data", weight, true, (row) => make("span", { title: `${bytesText(row)} bytes` }, bar(0, weight(row) / all, text(row)))),
  ], rows, MOST_ROWS) : make("p", {}, "None is left that moves data.");
}

// ---- Changes of one thing, each solved again.

// A text whose flags are not broken at their hyphens.
const withWholeFlags = (text) => text.split(/(--[^\s)]+)/).map((part, index) => index % 2 ? make("span", { class: "flag" }, part) : part);

function changesTable() {
  const changes = data.changes.slice(1);
  if (!data.changes.length) return [make("p", {}, "No change was tried: changes are solved for a program that layout-optimal places (with cost=traffic by --what-if only).")];
  const { unit } = data.passes[data.passes.length - 1];
  if (!data.programs[data.programs.length - 1].ops.some(isMove)) return [make("p", {}, "Nothing is left to remove.")];
  const saving = savingChanges().map((row, index) => ({ ...row, number: index + 1 }));
  const others = changes.filter(({ saves }) => !saves);
  const columns = [
    column("no.", (row) => -row.number, true, (row) => String(row.number)),
    column("change", (row) => row.change, false, (row) => make("span", {}, ...withWholeFlags(row.change))),
    column(noun(), (row) => row.transposes, true),
    column("data", (row) => row.bytes, true, (row) => sizeCell(row.bytes, row)),
    ...(unit ? [column(unit, (row) => row.cost, true, (row) => costText(row.cost))] : []),
  ];
  return [
    saving.length ? table(columns, saving, MOST_CHANGES) : make("p", {}, "No single change saves anything."),
    make("p", { class: "quiet" }, "The figures are what is left with one change alone, each solved anew by layout-optimal."),
    ...(others.length ? [make("details", {}, make("summary", {}, `${others.length} more tried, which save nothing`), make("ul", {}, ...others.map(({ change }) => make("li", {}, change))))] : []),
  ];
}

function showOverview() {
  const panel = byId("overview");
  showFigures(panel);
  showStrip(panel);
  const texts = (label) => data.facts.filter(([each]) => each === label).map(([, text]) => text);
  const unchanged = [...texts("left unchanged"), ...texts("stays")];
  const notes = texts("note");
  const list = (lines) => make("ul", {}, ...lines.map((text) => make("li", {}, text)));
  const part = (title, ...content) => make("section", {}, make("h2", {}, title), ...content);
  panel.append(make("div", { class: "columns" },
    part(`${noun() === "transposes" ? "Transposes" : "Conversions"} that are left, dearest first`, transposesTable()),
    make("div", {},
      part("What would remove them, best first", ...changesTable()),
      part("Left unchanged", unchanged.length ? list(unchanged) : make("p", {}, "Nothing: each op states how it treats its axes.")),
      ...(notes.length ? [part("Notes on the model", list(notes))] : []),
      part("Run", ...texts("command").map((text) => make("pre", {}, ...withWholeFlags(text))), ...texts("versions").map((text) => make("p", { class: "quiet" }, text))))));
}

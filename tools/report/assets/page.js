"use strict";
// The data of the page: facts, passes, programs (ops and drawings with coordinates), differences.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const NODE = { kind: 0, ref: 1, x: 2, y: 3, width: 4, height: 5, style: 6, lines: 7, op: 8, time: 9 };
const LINE_HEIGHT = 15;

// Makes an element with attributes and children; those that are strings become text.
function make(tag, attributes = {}, ...children) {
  const isSvg = ["svg", "g", "rect", "text", "path", "marker", "defs", "title"].includes(tag);
  const element = isSvg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// ---- Facts and tabs.

function showFacts() {
  byId("facts").append(...data.facts.map(([label, text]) => make("div", {}, make("dt", {}, label), make("dd", {}, text))));
  byId("theme").addEventListener("click", () => {
    const isDark = getComputedStyle(document.documentElement).colorScheme === "dark"
      || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = isDark ? "light" : "dark";
  });
}

let tabs = [];

function openTab(name) {
  for (const tab of tabs) {
    const isOpen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", isOpen);
    tab.tabIndex = isOpen ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !isOpen;
  }
  if (name === "graph") panes.forEach((pane) => pane.fit());
}

function setUpTabs() {
  tabs = [...document.querySelectorAll("[role=tab]")];
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => openTab(tab.getAttribute("aria-controls")));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
  });
}

// ---- Tables, sorted by a click on the head of a column.

function table(columns, rows) {
  const body = make("tbody");
  let sorted = rows;
  let last = null;
  const show = () => body.replaceChildren(...sorted.map((row) => make("tr", {}, ...columns.map(
    ({ cell, isNumber }) => make("td", isNumber ? { class: "number" } : {}, cell(row))))));
  const heads = columns.map((column) => {
    const head = make("th", column.isNumber ? { class: "number", scope: "col" } : { scope: "col" });
    head.append(make("button", { type: "button", onclick: () => {
      const direction = last === column ? -1 : 1;
      last = last === column ? null : column;
      sorted = [...sorted].sort((a, b) => {
        const [one, other] = [column.key(a), column.key(b)];
        return direction * (column.isNumber ? other - one : String(one).localeCompare(String(other)));
      });
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", (direction === 1) === Boolean(column.isNumber) ? "descending" : "ascending");
      show();
    } }, column.title));
    return head;
  });
  show();
  return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body);
}

const column = (title, key, isNumber = false, cell = (row) => String(key(row))) => ({ title, key, isNumber, cell });
const bytesText = (row, bytes = row.bytes || 0) => `${row.is_estimate || row.assumed_size ? "~" : ""}${bytes.toLocaleString("en")}`;
const number = (title, key) => column(title, key, true, (row) => key(row).toLocaleString("en"));

// A button that shows an op in the graph.
const opLink = (program, index, text) =>
  make("button", { type: "button", class: "link", onclick: () => showOp(program, index) }, text);

const generic = (text) => text.replace(/\d+/g, "");

const reasons = (op) => op.notes || ["it was in the program"];
const MOST_CHANGES = 3;

// The best changes that would save a transpose.
function removal({ removal: all = ["no single change"] }) {
  return all.length > MOST_CHANGES ? [...all.slice(0, MOST_CHANGES), `and ${all.length - MOST_CHANGES} more`] : all;
}

function showTransposes() {
  const at = data.programs.length - 1;
  const program = data.programs[at];
  const groups = new Map();
  program.ops.forEach((op, index) => {
    if (!op.move) return;
    const key = generic((op.notes || []).join()) + op.move;
    if (!groups.has(key)) groups.set(key, { op, index, count: 0, bytes: 0, cost: 0, is_estimate: false });
    const group = groups.get(key);
    group.count += 1;
    group.cost += op.cost || 0;
    group.bytes += op.bytes || 0;
    group.is_estimate ||= op.is_estimate;
  });
  const rows = [...groups.values()].sort((a, b) => b.bytes - a.bytes);
  const unit = data.passes[data.passes.length - 1].unit;
  const lines = (texts) => make("div", { class: "lines" }, ...texts.map((text) => make("p", {}, text)));
  const name = ({ op }) => op.model || op.model_name || op.name;
  const columns = [
    column("bytes", (row) => row.bytes, true, (row) => bytesText(row)),
    ...(unit ? [number(unit, (row) => row.cost)] : []),
    column("times", (row) => row.count, true),
    column("from and to", (row) => row.op.move),
    column("op", name, false, (row) => opLink(at, row.index, name(row))),
    column("reason", (row) => reasons(row.op).join(), false, (row) => lines(reasons(row.op))),
    ...(rows.some(({ op }) => op.removal) ? [column("changes that would help", (row) => removal(row.op).join(), false, (row) => lines(removal(row.op)))] : []),
  ];
  byId("transposes").append(rows.length ? table(columns, rows) : make("p", {}, "No transpose moves data."));
  if (rows.length) byId("transposes").append(make("p", {},
    "Rows are transposes of the last program that move data; those that repeat in several blocks are one row."));
}

// The passes one after the other: what each leaves, and its part of the time of all.
function showPasses() {
  const all = data.passes.reduce((sum, row) => sum + row.seconds, 0);
  let start = 0;
  const rows = data.passes.map((row, index) => ({ ...row, index, start: (start += row.seconds) - row.seconds }));
  const isUsed = (key) => rows.some((row) => row[key]);
  const columns = [
    column("step", (row) => row.index, true, (row) => row.seconds === null ? "" : String(row.index)),
    column("program", (row) => row.name),
    number("transposes", (row) => row.transposes),
    column("bytes", (row) => row.bytes, true, (row) => bytesText(row)),
    ...(isUsed("absorbed") ? [number("absorbed", (row) => row.absorbed || 0)] : []),
    ...(isUsed("gathers") ? [number("gathers", (row) => row.gathers || 0), number("their bytes", (row) => row.gathered_bytes || 0)] : []),
    ...(isUsed("unit") ? [number(rows[0].unit, (row) => row.cost || 0)] : []),
    ...(all ? [column("seconds", (row) => row.seconds || 0, true, (row) => row.seconds === null ? "" : timeline(row, all))] : []),
  ];
  byId("passes").append(table(columns, rows));
}

const timeline = (row, all) => bar(row.start / all, (row.start + row.seconds) / all, row.seconds.toFixed(2));

function showChanges() {
  const [before, ...changes] = data.changes;
  if (!before) {
    byId("changes").append(make("p", {}, "Changes are solved for programs that layout-optimal places, unless with cost=traffic."));
    return;
  }
  const { unit } = data.passes[data.passes.length - 1];
  const saved = (row) => before.bytes - row.bytes;
  const columns = [
    column("change", (row) => row.change),
    column("transposes", (row) => row.transposes, true),
    column("bytes", (row) => row.bytes, true, (row) => bytesText(row)),
    ...(unit ? [number(unit, (row) => row.cost)] : []),
    column("bytes saved", saved, true, (row) => bytesText(row, saved(row))),
  ];
  byId("changes").append(make("p", {}, "The best program with a change of one thing, behind layout-optimal."), table(columns, [before, ...changes]));
}

function showDifferences() {
  const last = data.programs.length - 1;
  const place = (row) => row.after === null ? [0, row.before] : [last, row.after];
  const op = (row) => { const [program, index] = place(row); return data.programs[program].ops[index]; };
  const name = (row) => op(row).model_name || op(row).name || "";
  const columns = [
    column("change", (row) => row.change),
    column("op", (row) => op(row).kind),
    column("name", name, false, (row) => opLink(...place(row), name(row) || op(row).kind)),
    column("type", (row) => row.text),
  ];
  const text = data.programs.length < 2 ? "There is one program only." : "The programs have the same ops and types.";
  const kinds = ["added", "removed", "changed"];
  const counts = kinds.map((kind) => `${data.differences.filter(({ change }) => change === kind).length} ${kind}`);
  const rows = kinds.flatMap((kind) => data.differences.filter(({ change }) => change === kind));
  if (rows.length) byId("differences").append(make("p", {}, `Ops by the names of the model: ${counts.join(", ")}.`), table(columns, rows));
  else byId("differences").append(make("p", {}, text));
}

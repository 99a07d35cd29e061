"use strict";
// The data of the page: facts, passes, programs (ops and drawings with coordinates), differences.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const NODE = { kind: 0, ref: 1, x: 2, y: 3, width: 4, height: 5, style: 6, lines: 7, op: 8, time: 9 };
const LINE_HEIGHT = 15;

// Makes an element with attributes and children; those that are strings become text.
function make(tag, attributes = {}, ...children) {
  const isSvg = ["svg", "g", "rect", "text", "path", "circle", "marker", "defs", "title"].includes(tag);
  const element = isSvg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// ---- Colours and tabs.

function setUpTheme() {
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

// ---- Tables, sorted by a click on the head of a column, with the first rows of long ones until all are asked for.

function table(columns, rows, most = rows.length) {
  const body = make("tbody");
  let sorted = rows;
  let last = null;
  const foot = make("tfoot");
  const show = () => body.replaceChildren(...sorted.slice(0, foot.childElementCount ? most : rows.length).map((row) => make("tr", {}, ...columns.map(
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
  const showAll = () => { foot.replaceChildren(); show(); };
  if (rows.length > most) {
    foot.append(make("tr", {}, make("td", { colspan: columns.length },
      make("button", { type: "button", class: "link", onclick: showAll }, `show all ${rows.length} rows`))));
    window.addEventListener("beforeprint", showAll);
  }
  show();
  return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body, foot);
}

const column = (title, key, isNumber = false, cell = (row) => String(key(row))) => ({ title, key, isNumber, cell });
const bytesText = (row, bytes = row.bytes || 0) => `${row.is_estimate || row.assumed_size ? "~" : ""}${bytes.toLocaleString("en")}`;
const number = (title, key) => column(title, key, true, (row) => key(row).toLocaleString("en"));

// A button that shows an op in the graph.
const opLink = (program, index, text) =>
  make("button", { type: "button", class: "link", onclick: () => showOp(program, index) }, text);

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

// swift-format-ignore-file

/// The texts of `audit.css` and `audit.js`. HTMLResourceTests writes this file.
enum HTMLResourceText {
  static let style: StaticString = ##"""
/* The styles of audit.html. The policy of the page has their hash. HTMLResourceTests embeds them in the tool. */

:root {
  color-scheme: light dark;
  --ink: #1b1b1f;
  --muted: #55555f;
  --paper: #ffffff;
  --raised: #f4f4f7;
  --edge: #c9c9d2;
  --link: #0b57a4;
  --accent: #3b6ea8;
  --warn: #8a4b00;
  --warn-paper: #fff4e0;
  --mark: #fff3b0;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ink: #ececf1;
    --muted: #b4b4c0;
    --paper: #17171b;
    --raised: #222228;
    --edge: #4a4a55;
    --link: #8ec2ff;
    --accent: #7fb0e8;
    --warn: #ffc36b;
    --warn-paper: #3a2a10;
    --mark: #4d4410;
  }
}

* { box-sizing: border-box; }

html { scroll-padding-top: 1rem; }

body {
  margin: 0 auto;
  max-width: 90rem;
  padding: 1rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
}

h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 0 0 0.5rem; }
h2 { font-size: 1.3rem; margin: 2rem 0 0.5rem; border-bottom: 1px solid var(--edge); }
h3 { font-size: 1.05rem; margin: 0 0 0.25rem; }
small { color: var(--muted); font-weight: normal; }
code, kbd { font: 0.9em ui-monospace, monospace; }
kbd { border: 1px solid var(--edge); border-radius: 0.2rem; padding: 0 0.3rem; }

a { color: var(--link); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; background: var(--paper); padding: 0.5rem; }

nav ul, .links { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }

/* Overview */

.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem; align-items: start; }
.card { background: var(--raised); border: 1px solid var(--edge); border-radius: 0.5rem; padding: 0.75rem; }
.card ul { margin: 0; padding-left: 1.25rem; }
.card p { margin: 0.25rem 0; }
.bars { width: 100%; border-collapse: collapse; }
.bars caption { font-weight: 600; padding: 0; }
.bars th, .bars td { border: 0; padding: 0.1rem 0.4rem 0.1rem 0; }
.bars th { font-weight: normal; background: none; white-space: nowrap; }
.bars td.bar { width: 40%; padding-right: 0; }
@media (min-width: 48rem) { .card:has(> .counts) { grid-column: span 2; } }
.card dl { grid-template-columns: 1fr; }
.counts { width: 100%; margin: 0; }
.counts caption { font-weight: 600; padding: 0; color: inherit; }
.counts th, .counts td { padding: 0.1rem 0.4rem 0.1rem 0; }
.counts thead th { background: none; font-weight: normal; color: var(--muted); }
.counts .falls { color: var(--warn); font-weight: 600; }
.bars svg { display: block; width: 100%; height: 0.7rem; fill: var(--accent); }

/* Tables */

.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; margin: 0.5rem 0; }
caption { text-align: left; color: var(--muted); padding: 0.25rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.5rem; border-bottom: 1px solid var(--edge); }
thead th { background: var(--raised); }
#keys-table { table-layout: fixed; width: 100%; min-width: 64rem; font-size: 0.8rem; }
#keys-table td, #keys-table th { overflow-wrap: break-word; }
#keys-table thead th:nth-child(1) { width: 12%; }
#keys-table thead th:nth-child(2) { width: 8%; }
#keys-table thead th:nth-child(3) { width: 18%; }
#keys-table thead th:nth-child(4) { width: 19%; }
#keys-table thead th:nth-child(6) { width: 11%; }
#keys-table thead th:nth-child(7) { width: 14%; }

/* The script lays out row by row. A row that a filter hides keeps its layout, so that all are shown again at once. */
@media screen {
  @supports (content-visibility: hidden) {
    .by-row, .by-row :is(caption, thead, tbody) { display: block; }
    .by-row tr {
      display: grid;
      grid-auto-flow: column;
      grid-template-columns:
        minmax(0, 12fr) minmax(0, 8fr) minmax(0, 18fr) minmax(0, 19fr) minmax(0, 9fr) minmax(0, 11fr) minmax(0, 14fr);
      grid-auto-columns: minmax(0, 8fr);
    }
    #keys-table.by-row thead th:nth-child(n) { width: auto; }
    .by-row tbody tr { contain: content; }
    .by-row tr[hidden] { content-visibility: hidden; height: 0; }
  }
}
tbody tr:target { outline: 2px solid var(--accent); }

/* What happens to each value. The word in a cell says the same as its colour. */

/* Not laid out while it is outside of the window: filters change its rows. */
.scroll:has(> .fates) { content-visibility: auto; contain-intrinsic-size: auto 40rem; }
.fates { font-size: 0.8rem; }
.fates thead th { min-width: 5.5rem; }
.fates tbody th { position: sticky; left: 0; background: var(--paper); }
[data-fate="lost"], [data-fate="cannotBeOpened"], [data-state="violated"] { color: var(--warn); font-weight: 600; }
[data-fate="mayBeLost"], [data-fate="cannotBeReadNow"], [data-state="acceptedUntil"] { color: var(--warn); }
[data-fate="asksUser"], [data-fate="notDecidable"], [data-state="notDecidable"] { font-style: italic; }
.reasons[open] { border: 1px solid var(--edge); border-radius: 0.5rem; padding: 0.5rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
th button {
  font: inherit;
  text-align: inherit;
  color: inherit;
  background: none;
  border: 0;
  padding: 0;
  cursor: pointer;
}
th button::after { content: " \2195"; color: var(--muted); }
th[aria-sort="ascending"] button::after { content: " \2191"; color: inherit; }
th[aria-sort="descending"] button::after { content: " \2193"; color: inherit; }

/* Search and filters */

#filters { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: center; }
#filters[hidden] { display: none; }
#filters input, #filters select, #filters button {
  font: inherit;
  color: inherit;
  background: var(--paper);
  border: 1px solid var(--muted);
  border-radius: 0.3rem;
  padding: 0.25rem 0.5rem;
  min-height: 2.2rem;
}
#filters select { max-width: 16rem; }
#search { flex: 1 1 14rem; }

/* Declarations */

.entry {
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  padding: 0.75rem;
  margin: 0.75rem 0;
  content-visibility: auto;
  contain-intrinsic-size: auto 24rem;
}
.entry[hidden] { display: none; }
.entry:target { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent); }
.entry h3 a { color: inherit; text-decoration: none; }
.entry h3 a:hover { text-decoration: underline; }
.entry > p { margin: 0.25rem 0 0.5rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
.notes { margin: 0.5rem 0; padding-left: 1.25rem; }
.findings { list-style: none; margin: 0.5rem 0; padding: 0; }
.findings li { border-left: 0.25rem solid var(--edge); padding: 0.1rem 0.6rem; margin: 0.25rem 0; }
.findings .open, .ended { color: var(--warn); background: var(--warn-paper); border-color: var(--warn); }
details { margin: 0.25rem 0; }
footer { margin-top: 2rem; color: var(--muted); font-size: 0.9rem; }

/* Pictures. The parts of a drawing have selectors of one element, because it is shown through `use`. */

.definitions { position: absolute; }
.flow, .overview { display: block; width: 100%; max-width: 58rem; min-width: 40rem; height: auto; margin: 0.5rem 0; }
.stage { fill: var(--raised); stroke: var(--muted); }
.stage-name { fill: var(--ink); font-size: 12px; font-weight: 600; }
.stage-detail { fill: var(--muted); font-size: 11px; }
.arrow { fill: none; stroke: var(--muted); stroke-width: 1.5; }
.arrow.unreadable { stroke-dasharray: 4 3; }
.band { fill: none; stroke: var(--accent); stroke-opacity: 0.3; }
.band.falls { stroke: var(--warn); stroke-opacity: 0.5; }
.stage.falls, .arrow.falls { stroke: var(--warn); stroke-width: 2; }
.fall-mark { fill: var(--warn); font-size: 14px; }

@media (max-width: 48rem) {
  body { padding: 0.75rem; }
  main > section { overflow-x: auto; }
  dl { grid-template-columns: 1fr; }
  dd { margin-bottom: 0.35rem; }
  #filters { display: grid; grid-template-columns: max-content minmax(0, 1fr); }
  #filters select { max-width: none; width: 100%; }
  #filters button, #filters output { grid-column: 1 / -1; justify-self: start; }
}

/* On a phone each row of the large table is a list of facts, with the titles of the columns before them. */
@media screen and (max-width: 48rem) {
  #keys-table { min-width: 0; display: block; }
  #keys-table caption, #keys-table tbody { display: block; }
  #keys-table thead { position: absolute; left: -100rem; }
  #keys-table tbody tr { display: block; border-bottom: 1px solid var(--edge); padding: 0.4rem 0; }
  #keys-table tbody tr[hidden] { display: none; }
  #keys-table tbody :is(th, td) { display: block; border: 0; padding: 0.05rem 0; overflow-wrap: anywhere; }
  #keys-table tbody td:empty { display: none; }
  #keys-table tbody td::before { color: var(--muted); }
  #keys-table tbody td:nth-child(2)::before { content: "Type: "; }
  #keys-table tbody td:nth-child(3)::before { content: "Where: "; }
  #keys-table tbody td:nth-child(4)::before { content: "Secured: "; }
  #keys-table tbody td:nth-child(5)::before { content: "Sensitivity: "; }
  #keys-table tbody td:nth-child(6)::before { content: "Owner: "; }
  #keys-table tbody td:nth-child(7)::before { content: "Leaves the device: "; }
  #keys-table tbody td:nth-child(8)::before { content: "Kept: "; }
  #keys-table tbody td:nth-child(9)::before { content: "Findings: "; }
  #keys-table tbody td:nth-child(10)::before { content: "First in: "; }
}

/* On paper, the facts of a declaration follow each other in lines. */
@page { margin: 11mm; }

@media print {
  :root { --ink: #000; --muted: #444; --paper: #fff; --raised: #fff; --edge: #999; --link: #000; --accent: #444; }
  body { max-width: none; padding: 0; font-size: 7pt; line-height: 1.3; }
  nav, .skip, #filters, .entry > details, .fates td:nth-child(3), .fates th:nth-child(3) { display: none; }
  a { text-decoration: none; }
  h1 { font-size: 12pt; }
  h2 { font-size: 10pt; margin: 0.8rem 0 0.2rem; break-after: avoid; }
  h3 { font-size: 8pt; margin: 0; break-after: avoid; }
  p { margin: 0.15rem 0; }
  .cards { grid-template-columns: repeat(4, 1fr); gap: 0.4rem; }
  .card { padding: 0.3rem; }
  .scroll, .scroll:has(> .fates) { overflow: visible; content-visibility: visible; }
  table { font-size: 6.5pt; margin: 0.15rem 0; }
  .fates { font-size: 5.5pt; }
  th, td, .bars th, .bars td, .counts th, .counts td { padding: 0.08rem 0.2rem; }
  #keys-table { min-width: 0; font-size: 6.5pt; }
  .overview { max-width: 34rem; }
  .fates { width: 100%; }
  .fates thead th { min-width: 0; }
  .fates tbody th { position: static; }
  th button::after { content: ""; }
  dl { display: block; margin: 0.1rem 0; }
  dt, dd { display: inline; }
  dt::after { content: ": "; }
  dd::after { content: "  "; white-space: pre; }
  .entry { padding: 0.15rem 0.3rem; margin: 0.2rem 0; content-visibility: visible; border-radius: 0; }
  .entry > p, .notes, .findings { margin: 0.1rem 0; }
  .findings li { margin: 0; }
  .entry, .card, tr { break-inside: avoid; }
}

"""##

  static let script: StaticString = ##"""
// The script of audit.html: search, filters and sorting. The page can be read without it.
// The policy of the page has its hash. HTMLResourceTests embeds it in the tool.
"use strict";

(() => {
  const table = document.getElementById("keys-table");
  const form = document.getElementById("filters");
  const search = document.getElementById("search");
  const count = document.getElementById("count");
  if (!table || !form || !search || !count) return;

  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const columns = new Map(heads.map((head, index) => [head.textContent.toLowerCase(), index]));

  // The styles lay out each row on its own. A browser may then forget that this is a table.
  const roles = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
  for (const part of [table, ...table.querySelectorAll("thead, tbody, tr, td, th")]) {
    part.setAttribute("role", roles[part.tagName] || (part.scope === "row" ? "rowheader" : "columnheader"));
  }
  table.classList.add("by-row");

  // The rows of the other table, by the links in them. A record has a row for each of its rows in this table.
  const fates = new Map();
  for (const row of document.querySelectorAll(".fates tbody tr")) {
    const hash = row.cells[0].firstChild.hash;
    if (fates.has(hash)) fates.get(hash).push(row); else fates.set(hash, [row]);
  }

  /** The texts of which a cell is a list. */
  const parts = (text, separator) => (text === "" ? [] : text.split(separator));

  /** The rows in the order of the page, each with its section and the values that filters compare. */
  const sections = new Map();
  const entries = [...body.rows].map((row) => {
    const link = row.cells[0].querySelector("a");
    const cell = (name) => row.cells[columns.get(name)].textContent;
    const fate = (fates.get(link.hash) || []).shift();
    const section = document.getElementById(link.hash.slice(1));
    if (section) sections.set(section, (sections.get(section) || 0) + 1);
    return {
      row,
      section,
      fate,
      text: null,
      isShown: true,
      domain: parts(row.dataset.domain || "", ";"),
      security: parts(row.dataset.security || "", ";"),
      owner: [cell("owner")],
      sensitivity: parts(cell("sensitivity"), ", "),
      leaves: parts(cell("leaves the device"), "; ").map((way) => way.split(/[(:]/)[0].trim()),
    };
  });

  /** The text of an entry is needed by the first search only. */
  const text = (entry) => {
    if (entry.text === null) {
      entry.text = `${entry.row.textContent}\n${entry.section ? entry.section.textContent : ""}`.toLowerCase();
    }
    return entry.text;
  };

  // Filters

  const filters = [...form.querySelectorAll("select")];
  const order = (heads[columns.get("sensitivity")].dataset.order || "").split(" ");

  for (const filter of filters) {
    const values = new Map();
    for (const entry of entries) {
      for (const value of new Set(entry[filter.dataset.filter])) values.set(value, (values.get(value) || 0) + 1);
    }
    const isOrdered = filter.dataset.filter === "sensitivity";
    const names = [...values.keys()].sort((a, b) =>
      isOrdered ? order.indexOf(a) - order.indexOf(b) : a.localeCompare(b, "en"));
    for (const name of names) {
      const option = document.createElement("option");
      option.value = name;
      option.textContent = `${name} (${values.get(name)})`;
      filter.append(option);
    }
  }

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const chosen = filters.filter((filter) => filter.value !== "");
    let shown = 0;
    for (const entry of entries) {
      const isShown = chosen.every((filter) => entry[filter.dataset.filter].includes(filter.value))
        && words.every((word) => text(entry).includes(word));
      if (isShown) shown += 1;
      if (isShown === entry.isShown) continue;
      entry.isShown = isShown;
      entry.row.hidden = !isShown;
      entry.row.ariaHidden = isShown ? null : "true";
      if (entry.section) {
        // The section of a record is shown while one of its rows is.
        const rows = sections.get(entry.section) + (isShown ? 1 : -1);
        sections.set(entry.section, rows);
        entry.section.hidden = rows === 0;
      }
      if (entry.fate) entry.fate.hidden = !isShown;
    }
    count.textContent = `${shown} of ${entries.length} shown`;
  };

  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply, 0));

  /** A link to a hidden section shows it. */
  const showTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.tagName === "DETAILS") target.open = true;
    if (!target.hidden) return;
    form.reset();
    apply();
    target.scrollIntoView();
  };
  addEventListener("hashchange", showTarget);

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && event.target === search) {
      search.value = "";
      apply();
    }
  });

  // Sorting

  const collator = new Intl.Collator("en", { numeric: true });

  const sort = (head, index) => {
    const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    for (const other of heads) other.setAttribute("aria-sort", other === head ? direction : "none");
    const ranks = head.dataset.order ? head.dataset.order.split(" ") : null;
    // Some columns have an order of their own. A cell without a value comes first.
    const isRanked = ranks || entries.some((entry) => entry.row.cells[index].dataset.sort);
    const rank = (cell) => (ranks ? ranks.indexOf(cell.textContent.split(",")[0]) : Number(cell.dataset.sort || -1));
    const keyed = entries.map((entry) => {
      const cell = entry.row.cells[index];
      return { row: entry.row, value: isRanked ? rank(cell) : cell.textContent };
    });
    const compare = isRanked ? (a, b) => a.value - b.value : (a, b) => collator.compare(a.value, b.value);
    const sign = direction === "ascending" ? 1 : -1;
    keyed.sort((a, b) => sign * compare(a, b));
    body.append(...keyed.map((each) => each.row));
  };

  heads.forEach((head, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(head, index));
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
  });

  // The reason of a cell is that of its row's list. It is shown beside the pointer.
  document.addEventListener("pointerover", (event) => {
    const cell = event.target.closest(".fates tbody td[data-fate]");
    if (!cell || cell.title) return;
    const row = cell.closest("tr");
    const reasons = document.getElementById(row.cells[2].firstChild.hash.slice(1));
    cell.title = reasons.querySelector("tbody").rows[cell.cellIndex - 3].cells[2].textContent;
  });

  // Days. They are compared with the reader's clock, because the page itself has no date.

  const day = 86_400_000;
  let reopened = 0;
  for (const time of document.querySelectorAll("time")) {
    const days = Math.ceil((Date.parse(`${time.dateTime}T23:59:59Z`) - Date.now()) / day) - 1;
    if (Number.isNaN(days) || days > 90) continue;
    time.textContent += days < 0 ? " (ended)" : ` (${days} days left)`;
    if (days >= 0) continue;
    time.classList.add("ended");
    // A finding whose acceptance has ended is open again.
    const acceptance = time.closest("[data-accepted]");
    if (acceptance) {
      acceptance.querySelector("strong").textContent = "open again, accepted";
      if (acceptance.closest("#accepted")) reopened += Number(acceptance.dataset.accepted);
    }
    const state = time.closest("[data-state]");
    if (state) {
      state.dataset.state = "violated";
      state.prepend("violated again, ");
    }
  }
  const counted = (id, change, noun) => {
    const part = document.getElementById(id);
    const number = Number(part.dataset.count) + change;
    part.textContent = `${number} ${noun}${number === 1 ? "" : "s"}`;
  };
  counted("open-count", reopened, "open finding");
  counted("accepted-count", -reopened, "accepted finding");

  form.hidden = false;
  apply();
  showTarget();
})();

"""##
}

// The script of audit.html: search, filters and sorting. The page can be read without it.
// The policy of the page has its hash. HTMLResourceTests checks it.
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

  // The names in the other table, by their links. A record has a name for each of its rows in this table.
  const fates = new Map();
  for (const name of document.querySelectorAll(".fates .names li")) {
    const hash = name.firstChild.hash;
    if (fates.has(hash)) fates.get(hash).push(name); else fates.set(hash, [name]);
  }
  // This table has the plain fields of a record first. Their name is the shorter one.
  for (const names of fates.values()) names.sort((one, other) => one.textContent.length - other.textContent.length);

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
    const regrouped = new Set();
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
      if (entry.fate) {
        entry.fate.hidden = !isShown;
        regrouped.add(entry.fate.parentElement);
      }
    }
    // A row of fates is shown while one of its names is.
    for (const names of regrouped) names.closest("tr").hidden = !names.querySelector("li:not([hidden])");
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

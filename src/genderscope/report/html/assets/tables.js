// Tables: sorted by a click on a column's name, within each part of the table; filtered; downloaded as CSV.

class DataTable {
  constructor(table, filters) {
    this.table = table;
    this.filters = filters;
    const heads = table.querySelectorAll("thead th");
    heads.forEach((head, column) => {
      const title = head.textContent;
      head.setAttribute("aria-sort", "none");
      head.replaceChildren(button(title, () => this.sort(head, column)));
    });
    const tools = make("div", { className: "tools" }, button("Download CSV", () => this.download()));
    table.closest(".scroll").after(tools);
    filters.listeners.push(() => this.filter());
  }

  sort(head, column) {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of this.table.querySelectorAll("thead th")) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    for (const body of this.table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("heading"));
      const key = new Map(rows.map((row) => [row, sortKey(row.cells[column]?.textContent ?? "")]));
      rows.sort((a, b) => compare(key.get(a), key.get(b), down ? -1 : 1));
      body.append(...rows);
    }
    announce(`Sorted by ${head.textContent}, ${down ? "descending" : "ascending"}`);
  }

  filter() {
    for (const row of this.table.querySelectorAll("tr[data-keys]")) {
      row.classList.toggle("off", !this.filters.matches(JSON.parse(row.dataset.keys)));
    }
  }

  /** The rows as they are shown; the heading of a part becomes a column. */
  download() {
    const titles = [...this.table.querySelectorAll("thead th")].map((head) => head.textContent);
    const parts = this.table.querySelector("tr.heading") !== null;
    const rows = [parts ? ["part", ...titles] : titles];
    for (const body of this.table.tBodies) {
      const heading = body.querySelector("tr.heading")?.textContent.trim() ?? "";
      for (const row of body.querySelectorAll("tr:not(.heading):not(.off)")) {
        const cells = [...row.cells].map((cell) => cell.textContent.trim());
        rows.push(parts ? [heading, ...cells] : cells);
      }
    }
    save(`${this.table.dataset.name}.csv`, csv(rows), "text/csv");
  }
}

/** A number where the text is one or an interval begins with one; what is missing comes last. */
function sortKey(text) {
  const said = text.trim();
  if (!said || said === "–") return null;
  const first = said.replace(/^\[/, "").split(/[ ;\]]|, /)[0];
  return NUMBER.test(first) ? Number(first.replaceAll(",", "")) : said;
}

function compare(a, b, direction) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === "number" && typeof b === "number") return direction * (a - b);
  return direction * byName(String(a), String(b));
}

/** Offer all estimates of a run with every digit. */
function offerEstimates(tables) {
  const content = JSON.parse(tables.querySelector("script.estimates").textContent);
  const tools = make("div", { className: "tools" });
  tools.append(button("Download all estimates (CSV, full precision)", () => save(`${tables.dataset.run} estimates.csv`, content, "text/csv")));
  tables.append(tools);
}

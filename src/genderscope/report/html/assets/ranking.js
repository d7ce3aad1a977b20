"use strict";
// Tables of class "sortable" sort by their headings or, where rows are cards, by a list of them. Models and measures
// of a scorecard can be filtered.

const status = document.getElementById("status");
const isAscending = (head) => head.getAttribute("aria-sort") === "ascending";

/** The sort keys of a cell: its numbers, null for a missing one, or else its text. */
function sortKeys(cell) {
  if (!("key" in cell.dataset)) return [cell.textContent.trim().toLowerCase()];
  return cell.dataset.key.split(" ").map((part) => (part === "" ? null : Number(part)));
}

/** Compare key by key; missing values come last in either direction. */
function compareKeys(one, other, ascending) {
  const k = one.findIndex((key, index) => key !== other[index]);
  if (k < 0) return 0;
  if (one[k] === null || other[k] === null) return one[k] === null ? 1 : -1;
  return (one[k] < other[k]) === ascending ? -1 : 1;
}

function makeSortable(table) {
  const heads = [...table.tHead.querySelectorAll("th[data-label]")];
  const select = document.createElement("select");
  function sort(head, ascending) {
    const rows = [...table.tBodies[0].rows].map((row) => [sortKeys(row.cells[head.cellIndex]), row]);
    rows.sort((a, b) => compareKeys(a[0], b[0], ascending));
    table.tBodies[0].append(...rows.map(([, row]) => row));
    heads.forEach((other) => other.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    select.selectedIndex = heads.indexOf(head);
    status.textContent = `Sorted by ${head.dataset.label}.${table.dataset.ranked === "no" ? "" : " Equal ranks (=) are ties."}`;
  }
  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.dataset.label;
    button.addEventListener("click", () => sort(head, !isAscending(head)));
    head.replaceChild(button, head.firstChild);
    if (!head.hasAttribute("aria-sort")) head.setAttribute("aria-sort", "none");
    select.add(new Option(head.dataset.label));
  }
  select.selectedIndex = Math.max(0, heads.findIndex((head) => head.getAttribute("aria-sort") !== "none"));
  const label = document.createElement("label");
  label.className = "field";
  label.append("Sort by", select);
  const reverse = document.createElement("button");
  reverse.type = "button";
  reverse.textContent = "Reverse";
  select.addEventListener("change", () => sort(heads[select.selectedIndex], true));
  reverse.addEventListener("click", () => sort(heads[select.selectedIndex], !isAscending(heads[select.selectedIndex])));
  const sorter = document.createElement("div");
  sorter.className = "sorter";
  sorter.append(label, reverse);
  table.closest(".scroll").before(sorter);
}

document.querySelectorAll("table.sortable").forEach(makeSortable);

const models = document.getElementById("models");
if (models) {
  const measures = document.getElementById("measures");
  const table = document.querySelector("#card table");
  const filter = () => {
    for (const row of table.tBodies[0].rows) row.hidden = !row.dataset.label.toLowerCase().includes(models.value.toLowerCase());
    for (const cell of table.querySelectorAll("[data-measure]")) cell.hidden = measures.value !== "" && cell.dataset.measure !== measures.value;
    status.textContent = `${[...table.tBodies[0].rows].filter((row) => !row.hidden).length} of ${table.tBodies[0].rows.length} models shown.`;
  };
  models.addEventListener("input", filter);
  measures.addEventListener("change", filter);
  document.querySelector(".filters").hidden = false;
}

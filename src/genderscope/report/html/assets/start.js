// Brings the page to life, measure by measure.

for (const section of document.querySelectorAll("section.measure")) {
  const filters = new Filters();
  buildFilters(section, filters);
  section.querySelectorAll("figure.chart").forEach((figure) => new Chart(figure, filters));
  section.querySelectorAll("table.data").forEach((table) => new DataTable(table, filters));
  section.querySelectorAll(".tables").forEach(offerEstimates);
  for (const place of section.querySelectorAll(".explorer")) {
    const folded = place.closest("details");
    // What is behind a content warning is not even put into the document before it is asked for.
    if (folded) folded.addEventListener("toggle", () => new Samples(place, filters), { once: true });
    else new Samples(place, filters);
  }
  filters.listeners.forEach((listener) => listener());
}

for (const code of document.querySelectorAll("code.copy")) {
  if (!navigator.clipboard) continue;
  code.after(button("Copy", () => navigator.clipboard.writeText(code.textContent).then(() => announce("Copied"))));
}

// Folded tables belong on paper; what is behind a content warning does not.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open]):not(.warning)")];
  opened.forEach((each) => (each.open = true));
});
addEventListener("afterprint", () => opened.forEach((each) => (each.open = false)));

// A link to a run that is folded away unfolds it.
function unfoldTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", unfoldTarget);
unfoldTarget();

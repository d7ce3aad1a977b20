"use strict";
// The list of runs is filtered without asking the server, which is polled only for the progress of unfinished runs.

const POLL = 2000; // milliseconds
const table_of_runs = document.getElementById("runs");
const news = document.getElementById("news");

if (table_of_runs) {
  const rows = [...table_of_runs.tBodies[0].rows];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const text = document.getElementById("text");
  const lists = ["measure", "model", "verdict"].map((key) => [key, document.getElementById(key)]);
  const filter = () => {
    const words = text.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const fits = lists.every(([key, list]) => list.value === "" || row.dataset[key] === list.value);
      row.hidden = !(fits && words.every((word) => texts.get(row).includes(word)));
      // A run that is not shown is not compared either.
      row.querySelectorAll("input").forEach((box) => { box.disabled = row.hidden; });
    }
    document.getElementById("status").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} runs shown.`;
  };
  text.addEventListener("input", filter);
  lists.forEach(([, list]) => list.addEventListener("change", filter));
  document.querySelector(".filters").hidden = false;
  filter();
}

function show({ finished, progress }) {
  let ended = table_of_runs !== null && finished !== Number(table_of_runs.dataset.finished);
  for (const place of document.querySelectorAll("[data-progress]")) {
    const now = progress[place.dataset.progress];
    if (!now) {
      ended = true;
      continue;
    }
    place.firstElementChild.textContent = now.text;
    const bar = place.querySelector("progress");
    if (bar) bar.value = now.answers ?? 0;
  }
  if (ended && !news.hasChildNodes()) {
    const link = document.createElement("a");
    link.href = location.href;
    link.textContent = "reload the page";
    news.append("Runs have been finished or changed; ", link, " to see them.");
  }
}

async function poll() {
  try {
    const answer = await fetch("/progress.json");
    if (answer.ok) show(await answer.json());
  } catch {
    news.textContent = "The viewer has been stopped; start it again with 'genderscope serve'.";
    return;
  }
  setTimeout(poll, POLL);
}

setTimeout(poll, POLL);

// Shows what all runs of a classroom do, twice a second.
"use strict";

const news = document.getElementById("news");
const table = document.getElementById("runs");
const query = location.search;

function cell(row, text, kind) {
  const td = row.insertCell();
  td.textContent = text;
  if (kind) td.className = kind;
  return td;
}

function show(runs) {
  table.replaceChildren();
  for (const run of runs) {
    const row = table.insertRow();
    cell(row, run.student);
    const link = document.createElement("a");
    link.href = run.page;
    link.textContent = "open";
    link.target = "_blank";
    link.rel = "noopener";
    row.insertCell().append(link);
    cell(row, run.programs);
    cell(row, run.driven ? "drives" : "none", run.driven ? "on" : "off");
    cell(row, run.ended ? "ended" : run.world, run.ended ? "lost" : "");
    for (const [value, digits] of [[run.time_s, 1], [run.x, 2], [run.y, 2], [run.heading_deg, 0]]) {
      cell(row, value === null ? "" : value.toFixed(digits), "number");
    }
  }
  const driven = runs.filter((run) => run.driven).length;
  news.textContent = `${runs.length} worlds, ${driven} driven by programs`;
}

async function look() {
  try {
    const answer = await fetch("access" + query);
    if (!answer.ok) throw new Error(await answer.text());
    show(await answer.json());
    news.className = "off";
  } catch (error) {
    news.textContent = `No answer: ${error.message}`;
    news.className = "lost";
  }
  setTimeout(look, 500);
}

look();

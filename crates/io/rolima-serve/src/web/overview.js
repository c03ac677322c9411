// Shows what all runs of a classroom do, twice a second.
"use strict";

const texts = {
  en: {
    title: "Classroom",
    heads: ["Student", "Map", "Page", "Programs connect to", "Program", "World", "Time, s", "x, m", "y, m", "Heading, °"],
    open: "open", drives: "drives", none: "none", ended: "ended",
    news: (all, driven) => `${all} worlds, ${driven} driven by programs`,
    lost: (why) => `No answer: ${why}`,
  },
  pt: {
    title: "Turma",
    heads: ["Aluno", "Mapa", "Página", "Programas se conectam a", "Programa", "Mundo", "Tempo, s", "x, m", "y, m", "Direção, °"],
    open: "abrir", drives: "dirige", none: "nenhum", ended: "terminou",
    news: (all, driven) => `${all} mundos, ${driven} dirigidos por programas`,
    lost: (why) => `Sem resposta: ${why}`,
  },
};
const language = navigator.language.toLowerCase().startsWith("pt") ? "pt" : "en";
const text = texts[language];
const news = document.getElementById("news");
const table = document.getElementById("runs");
const query = location.search;

document.documentElement.lang = language;
document.getElementById("title").textContent = text.title;
document.querySelectorAll("th").forEach((head, i) => (head.textContent = text.heads[i]));

// Rows stay and their texts change: a link that is made anew under the mouse cannot be clicked.
function rowOf(index) {
  if (table.rows[index]) return table.rows[index];
  const row = table.insertRow();
  for (let i = 0; i < text.heads.length; i++) row.insertCell();
  const link = document.createElement("a");
  link.textContent = text.open;
  link.target = "_blank";
  link.rel = "noopener";
  row.cells[2].append(link);
  const map = row.cells[1].appendChild(document.createElement("div"));
  map.className = "map";
  map.append(document.createElement("img"), document.createElement("span"));
  map.firstElementChild.alt = "";
  return row;
}

// The world from above, x up and y to the left, and the first robot on it. The picture is fetched
// anew when the world is another one.
function draw(map, run) {
  const [picture, robot] = map.children;
  map.hidden = !run.bounds || run.x === null;
  if (map.hidden) return;
  const source = `pictures/${run.student}${query || "?"}&world=${run.world}`;
  if (picture.getAttribute("src") !== source) picture.setAttribute("src", source);
  const [minX, minY, maxX, maxY] = run.bounds;
  const side = Math.max(maxX - minX, maxY - minY);
  const percent = (middle, at) => 100 * (0.5 + (middle - at) / side);
  robot.style.left = `calc(${percent((minY + maxY) / 2, run.y)}% - 0.3rem)`;
  robot.style.top = `calc(${percent((minX + maxX) / 2, run.x)}% - 0.35rem)`;
  robot.style.transform = `rotate(${-run.heading_deg}deg)`;
}

function put(cell, content, kind) {
  if (cell.textContent !== content) cell.textContent = content;
  if (cell.className !== kind) cell.className = kind;
}

function show(runs) {
  while (table.rows.length > runs.length) table.deleteRow(-1);
  runs.forEach((run, index) => {
    const { cells } = rowOf(index);
    put(cells[0], String(run.student), "");
    draw(cells[1].firstElementChild, run);
    const link = cells[2].firstElementChild;
    if (link.getAttribute("href") !== run.page) link.setAttribute("href", run.page);
    put(cells[3], run.programs, "");
    put(cells[4], run.driven ? text.drives : text.none, run.driven ? "on" : "off");
    put(cells[5], run.ended ? text.ended : String(run.world ?? ""), run.ended ? "lost" : "");
    const numbers = [[run.time_s, 1], [run.x, 2], [run.y, 2], [run.heading_deg, 0]];
    numbers.forEach(([value, digits], i) => {
      put(cells[6 + i], value === null ? "" : value.toFixed(digits), "number");
    });
  });
  put(news, text.news(runs.length, runs.filter((run) => run.driven).length), "off");
}

async function look() {
  try {
    const answer = await fetch("access" + query);
    if (!answer.ok) throw new Error(await answer.text());
    show(await answer.json());
  } catch (error) {
    put(news, text.lost(error.message), "lost");
  }
  setTimeout(look, 500);
}

look();

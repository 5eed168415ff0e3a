/** Draws the Restoration panel. Text arrives as data and is only ever set as text, never as markup. */

import type { Evidence, FromPanel, HypothesisRow, ParallelRow, RestorationAnswer, ToPanel } from "../protocol";

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void };

const editor = acquireVsCodeApi();
const root = document.getElementById("panel") as HTMLElement;
const FIRST_SHOWN = 10;
const ALTERNATIVES = 3;

let shown: RestorationAnswer | null = null;
let selected = 1;

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

function button(label: string, className: string, title: string, press: () => void): HTMLButtonElement {
  const made = element("button", className, label);
  made.type = "button";
  made.title = title;
  made.addEventListener("click", (event) => {
    event.stopPropagation();
    press();
  });
  return made;
}

function percent(probability: number): string {
  const value = probability * 100;
  if (value >= 99.5) {
    return "> 99 %";
  }
  return value >= 9.95 ? `${Math.round(value)} %` : value >= 0.1 ? `${value.toFixed(1)} %` : "< 0.1 %";
}

function draw(restoration: RestorationAnswer): void {
  shown = restoration;
  selected = 1;
  const sections = [
    heading(restoration),
    line(restoration, restoration.hypotheses[0]),
    conjecture(restoration),
    hypotheses(restoration),
    evidence(restoration.evidence),
    parallels(restoration.parallels),
  ];
  root.replaceChildren(...sections.filter((section) => section !== null));
}

function heading({ lacuna, model }: RestorationAnswer): HTMLElement {
  const place = lacuna.line === null ? "" : `Line ${lacuna.line} · `;
  const go = button(`${place}${lacuna.extent}`, "place", "Show in the text", () => {
    editor.postMessage({ kind: "reveal" });
  });
  return element("header", "", element("h1", "", go), element("p", "model", model));
}

function line({ leiden }: RestorationAnswer, hypothesis: HypothesisRow | undefined): HTMLElement {
  const proposal = element("mark", "proposal", hypothesis?.text.trim() ?? "– –");
  const text = element("p", "line greek", leiden.before, proposal, leiden.after);
  text.lang = "grc";
  return text;
}

function conjecture({ conjecture: own }: RestorationAnswer): HTMLElement | null {
  if (own === null) {
    return null;
  }
  const text = element("span", "greek", own.text);
  text.lang = "grc";
  const verdict =
    own.rank === null || own.probability === null
      ? " is not among the model’s hypotheses."
      : ` is the model’s no. ${own.rank} (${percent(own.probability)}).`;
  return element("p", "conjecture", "The edition’s ", text, verdict);
}

function hypotheses(restoration: RestorationAnswer): HTMLElement {
  const highest = Math.max(...restoration.hypotheses.map((row) => row.probability), 1e-9);
  const list = element("ol", "hypotheses");
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Hypotheses");
  restoration.hypotheses.forEach((row, index) => {
    const item = hypothesis(row, highest);
    item.hidden = index >= FIRST_SHOWN;
    list.append(item);
  });
  const hidden = restoration.hypotheses.length - FIRST_SHOWN;
  const count = Math.min(ALTERNATIVES, restoration.hypotheses.length);
  const actions = element("div", "actions");
  actions.append(
    button(`Insert the first ${count} as alternatives`, "secondary insert", "Write them into the text for a later decision", () => {
      editor.postMessage({ kind: "insert", count });
    }),
  );
  if (hidden > 0) {
    const more = button(`Show ${hidden} more`, "link", "", () => {
      for (const item of list.querySelectorAll("li")) {
        item.hidden = false;
      }
      more.remove();
    });
    actions.append(more);
  }
  return element("section", "", element("h2", "", "Hypotheses"), list, actions);
}

function hypothesis(row: HypothesisRow, highest: number): HTMLLIElement {
  const text = element("span", "text greek", row.text);
  text.lang = "grc";
  text.title = row.letters;
  const bar = element("span", "bar");
  bar.style.setProperty("--share", String(row.probability / highest));
  const accept = button("Accept", "accept", `Write “${row.text}” into the text, marked as uncertain`, () => {
    editor.postMessage({ kind: "accept", rank: row.rank, text: row.text });
  });
  const item = element("li", "hypothesis", text, bar, element("span", "percent", percent(row.probability)), attested(row), accept);
  item.tabIndex = 0;
  item.dataset["rank"] = String(row.rank);
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", String(row.rank === selected));
  item.addEventListener("click", () => {
    select(row.rank);
  });
  item.addEventListener("keydown", (event) => {
    move(event, row);
  });
  return item;
}

function move(event: KeyboardEvent, row: HypothesisRow): void {
  const item = event.currentTarget as HTMLLIElement;
  const other = event.key === "ArrowDown" ? item.nextElementSibling : event.key === "ArrowUp" ? item.previousElementSibling : null;
  if (event.key === "Enter" && event.target === item) {
    editor.postMessage({ kind: "accept", rank: row.rank, text: row.text });
  } else if (other instanceof HTMLLIElement && !other.hidden) {
    event.preventDefault();
    other.focus();
    select(Number(other.dataset["rank"]));
  }
}

function select(rank: number): void {
  if (shown === null || rank === selected) {
    return;
  }
  selected = rank;
  for (const item of root.querySelectorAll<HTMLLIElement>(".hypothesis")) {
    item.setAttribute("aria-selected", String(Number(item.dataset["rank"]) === rank));
  }
  root.querySelector(".line")?.replaceWith(line(shown, shown.hypotheses.find((row) => row.rank === rank)));
  editor.postMessage({ kind: "select", rank });
}

function evidence(found: Evidence): HTMLElement {
  const section = element("section", "evidence", element("h2", "", "What it rests on"));
  if (found.weights === null) {
    section.append(element("p", "none", "This model does not tell."));
    return section;
  }
  const weights = found.weights;
  const highest = Math.max(...weights, 1e-9);
  const text = element("p", "heat greek");
  text.lang = "grc";
  found.signs.forEach((sign, index) => {
    const inLacuna = index >= found.lacunaStart && index < found.lacunaEnd;
    const cell = element("span", inLacuna ? "cell lacuna" : "cell", sign);
    if (!inLacuna) {
      cell.style.setProperty("--weight", String((weights[index] ?? 0) / highest));
    }
    text.append(cell);
  });
  const scale = element("p", "scale", "little ", element("span", "ramp"), " much");
  section.append(text, scale);
  return section;
}

function attested({ attestations }: HypothesisRow): HTMLElement {
  const count = element("span", "attested", attestations ? `${attestations}×` : "");
  count.title = attestations ? "in this context in your collection" : "";
  return count;
}

function parallels(found: ParallelRow[] | null): HTMLElement {
  const section = element("section", "parallels", element("h2", "", "Parallels"));
  if (found === null) {
    section.append(element("p", "none", "No index of your collection yet. Make one with pythia-epidoc parallels."));
  } else if (found.length === 0) {
    section.append(element("p", "none", "None in your collection."));
  } else {
    section.append(element("ul", "", ...found.map(parallel)));
  }
  return section;
}

function parallel(row: ParallelRow): HTMLElement {
  const quotation = element("q", "greek", row.before, element("mark", "", row.match), row.after);
  quotation.lang = "grc";
  const source = element("cite", "", row.conjecture ? `${row.source} (partly restored)` : row.source);
  const { uri, line } = row;
  if (uri !== null) {
    const go = button(row.source, "link", "Open the file at this passage", () => {
      editor.postMessage({ kind: "open", uri, line });
    });
    source.replaceChildren(go, row.conjecture ? " (partly restored)" : "");
  }
  return element("li", "", quotation, source);
}

function notice(text: string, busy: boolean): void {
  shown = null;
  root.replaceChildren(element("p", busy ? "notice busy" : "notice", text));
}

window.addEventListener("message", (event: MessageEvent<ToPanel>) => {
  const message = event.data;
  switch (message.kind) {
    case "restoration":
      draw(message.restoration);
      break;
    case "evidence":
      if (message.rank === selected) {
        root.querySelector(".evidence")?.replaceWith(evidence(message.evidence));
        root.querySelector(".parallels")?.replaceWith(parallels(message.parallels));
      }
      break;
    case "waiting":
      notice(`Restoring ${message.extent}…`, true);
      break;
    case "nothing":
      notice(message.reason, false);
      break;
  }
});

editor.postMessage({ kind: "ready" });

// Composing a turn: shows what a choice would do before it is taken, listens to keys, and keeps the turn in this tab.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const CARDS = "LHDRWPJT";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const form = () => document.getElementById("compose");
  const value = (name) => form()?.elements.namedItem(name)?.value ?? "";

  // What the choices would do, asked for once for each state of the turn, when somebody first looks at one.
  let known = { state: "", choices: null };
  const played = () => (form() ? new FormData(form()).getAll("played") : []);
  const state = () => [form()?.dataset.choices, value("seq"), value("steps"), ...played()].join(" ");
  const learn = async () => {
    const now = state();
    if (!form() || known.state === now) return;
    known = { state: now, choices: {} };
    const body = new FormData(form());
    body.delete("pick");
    try {
      const answer = await fetch(form().dataset.choices, { method: "POST", body, headers: { Accept: "application/json" } });
      if (answer.ok && known.state === now) known.choices = (await answer.json()).choices;
    } catch {
      // Without it the choice itself shows what it does.
    }
    if (known.state === now) look();
  };

  let lookedAt = null;
  const clear = () => document.querySelector(".ghosts")?.remove();
  const look = () => {
    clear();
    const board = document.querySelector(".board-frame > .gravity-board");
    if (!board || !lookedAt?.isConnected || known.state !== state()) return;
    const drawn = lookedAt.dataset.way.split(" ").map((way) => known.choices[way] ?? "").join("");
    if (!drawn) return;
    const picture = document.createElementNS(SVG, "svg");
    picture.setAttribute("class", `${board.getAttribute("class")} ghosts`);
    picture.setAttribute("viewBox", board.getAttribute("viewBox"));
    picture.setAttribute("aria-hidden", "true");
    const ground = board.querySelector(".ground").cloneNode();
    const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${drawn}</svg>`, "image/svg+xml");
    ground.append(...document.adoptNode(parsed.documentElement).childNodes);
    picture.append(ground);
    board.after(picture);
    if (!still.matches) for (const trail of ground.children) run(trail);
  };
  // The ghost goes its way, once, and stands at its end as it was drawn.
  const run = (trail) => {
    const [way, ghost] = [trail.querySelector(".trail-line"), trail.querySelector(".lands")];
    const length = way?.getTotalLength();
    if (!length || !ghost) return;
    const count = Math.ceil(length / 6);
    const turn = /rotate\(.*?\)/.exec(ghost.getAttribute("transform"))?.[0].replace(")", "deg)") ?? "";
    const frames = Array.from({ length: count + 1 }, (_, step) => {
      const { x, y } = way.getPointAtLength((length * step) / count);
      return { transform: `translate(${x}px, ${y}px) ${turn}`, easing: "step-end" };
    });
    ghost.animate(frames, Math.min(200 + 2 * length, 1200));
  };
  const turnTo = (element) => {
    const choice = element?.closest?.("[data-way]") ?? null;
    if (choice === lookedAt) return;
    lookedAt = choice;
    look();
    if (choice) learn();
  };
  document.addEventListener("pointerover", (event) => turnTo(event.target));
  document.addEventListener("focusin", (event) => turnTo(event.target));
  document.addEventListener("pointerdown", (event) => turnTo(event.target));

  // The turn so far outlives a reload, the way back, and a look at the history.
  const name = () => `turn:${location.pathname}`;
  const keep = (steps) => tabMemory.put(name(), steps && JSON.stringify({ seq: value("seq"), seat: form().dataset.seat, steps }));
  const kept = () => {
    try {
      return JSON.parse(tabMemory.get(name()));
    } catch {
      return null;
    }
  };
  const restore = () => {
    const turn = kept();
    if (!form() || !turn || value("steps")) return;
    if (turn.seq !== value("seq") || turn.seat !== form().dataset.seat) return keep("");
    form().elements.namedItem("steps").value = turn.steps;
    form().requestSubmit();
  };

  // Planned, or played, it is no turn in progress any more. The button is not known by its name when the answer has it no more.
  document.addEventListener("submit", ({ target }) => target.id === "save-plan" && keep(""));
  let confirmed = false;
  document.addEventListener("htmx:before:swap", (event) => {
    confirmed = event.detail.ctx.sourceElement?.id === "confirm";
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.sourceElement?.id === "open-reference") return;
    lookedAt = null;
    clear();
    if (!form()) return confirmed && keep("");
    const posted = event.detail.ctx.request?.method?.toUpperCase() === "POST";
    if (value("steps") || posted) keep(value("steps"));
    else restore();
    // What is picked is as the answer has it, whatever was pressed in the page that it was laid over.
    for (const radio of document.querySelectorAll(".hand input")) radio.checked = radio.defaultChecked;
    if (posted && document.activeElement?.matches("body, .spot, #next")) document.querySelector(".at-spot .pay")?.focus({ preventScroll: true });
    turnTo(document.activeElement);
  });

  // Keys. They can be switched off, and rest where somebody types.
  const off = () => browserMemory.get("keys") === "off";
  const press = (selector) => {
    const button = document.querySelector(selector);
    if (!button || button.disabled) return false;
    button.click();
    return true;
  };
  const pick = (card) => {
    const radio = document.getElementById(`pick-${card}`);
    if (!radio) return false;
    (radio.checked ? document.getElementById("pick-all") : radio).click();
    return true;
  };
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  // The nearest place on that side; from elsewhere than a place, the one nearest to the pawn.
  const go = ([x, y]) => {
    const spots = [...document.querySelectorAll(".spot")].filter((spot) => spot.checkVisibility());
    const here = document.activeElement?.closest(".spot");
    const from = here ?? document.querySelector(".board-frame .look-here");
    if (!spots.length || !from) return false;
    const [left, top] = middle(from);
    const far = (spot) => {
      const [toX, toY] = middle(spot);
      const [along, across] = [(toX - left) * x + (toY - top) * y, Math.abs((toX - left) * y) + Math.abs((toY - top) * x)];
      return here && along < 4 ? Infinity : Math.abs(along) + 2 * across;
    };
    const next = spots.filter((spot) => spot !== here).reduce((best, spot) => (best && far(best) <= far(spot) ? best : spot), null);
    if (next && far(next) < Infinity) next.focus();
    return true;
  };
  document.addEventListener("keydown", (event) => {
    if (off() || event.defaultPrevented || event.altKey) return;
    if (event.target.closest?.("textarea, select, [contenteditable], dialog, input:not([type=radio], [type=checkbox])")) return;
    const { key } = event;
    let done = false;
    if (event.ctrlKey || event.metaKey) done = key === "Enter" && press("#confirm");
    else if (key === "?") done = document.getElementById("keys")?.togglePopover() !== undefined;
    else if (key !== "R" && key.length === 1 && CARDS.includes(key.toUpperCase())) done = pick(key.toUpperCase());
    else if (key === "n") done = press("#next-game");
    else if (key === "Backspace") done = press(".confirm-bar [name=undo]");
    else if (key === "Escape") done = press("#leave-spot");
    else if (ARROWS[key] && !event.target.matches("input, summary")) done = go(ARROWS[key]);
    if (done) event.preventDefault();
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "keys-on") browserMemory.put("keys", event.target.checked ? "on" : "off");
    if (event.target.name === "pick") turnTo(null);
  });
  // A card that is picked already is put back by one more press.
  document.addEventListener("pointerdown", (event) => {
    const radio = event.target.closest?.(".hand-card")?.querySelector("input:checked");
    if (radio && radio.id !== "pick-all") setTimeout(() => document.getElementById("pick-all")?.click());
  });

  restore();
})();

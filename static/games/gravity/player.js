// Plays entries of the log on the drawn board. The server says what is seen to happen; no rule is known here.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const MOST = 6;
  const BATCH = 12;
  const BRINGS_TURNS = ["live", "confirm"];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let run = null;
  let shown = 0;

  const button = () => document.getElementById("play");
  const make = (name, attributes, parent) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent?.append(element);
    return element;
  };
  const symbol = (id, cls, parent) => make("use", { href: `#${id}`, class: cls }, parent);
  const at = ({ x, y, turn = 0 }, more = "") => `translate(${x}px, ${y}px) rotate(${turn}deg) ${more}`;
  const board = () => document.querySelector(".board-frame > .gravity-board");
  // A picture that is laid over the board is turned as the board is.
  const layOver = (picture) => {
    const below = board();
    picture.setAttribute("viewBox", below.getAttribute("viewBox"));
    picture.classList.add(...[...below.classList].filter((name) => name.startsWith("turned-")));
    const turn = below.querySelector(".ground").getAttribute("transform");
    if (turn) picture.querySelector(".ground").setAttribute("transform", turn);
    return picture;
  };

  // A scene: a picture of the position before an entry, in which pawns, stars and the open door can move.
  class Scene {
    constructor(svg) {
      this.svg = svg;
      this.ground = svg.querySelector(".ground");
      this.upright = -Number(/rotate\((\d+)\)/.exec(this.ground.getAttribute("transform") ?? "")?.[1] ?? 0);
      this.pawns = new Map();
      for (const figure of svg.querySelectorAll(".pawn")) {
        const seat = Number(/pawn-(\d)/.exec(figure.getAttribute("href"))[1]);
        const [x, y, turn = 0] = figure.getAttribute("transform").match(/-?\d+/g).map(Number);
        this.pawns.set(seat, this.adopt(figure, svg.querySelector(`.pawn-number.seat-${seat}`), { x, y, turn }));
      }
      this.door = svg.querySelector(".open-door");
    }
    // The number stands three units from the middle, towards the feet, and can be read however the board is turned.
    label({ x, y, turn = 0 }) {
      const [side, down] = [3 * Math.sin((turn * Math.PI) / 180), 3 * Math.cos((turn * Math.PI) / 180)];
      return `translate(${x - side}px, ${y + down}px) rotate(${this.upright}deg)`;
    }
    adopt(figure, number, place) {
      for (const [key, value] of Object.entries({ x: 0, y: 4 })) number.setAttribute(key, value);
      const pawn = { figure, number };
      this.put(pawn, place);
      return pawn;
    }
    put(pawn, place) {
      Object.assign(pawn, place);
      pawn.figure.style.transform = at(pawn);
      pawn.number.style.transform = this.label(pawn);
    }
    pawn(seat) {
      if (!this.pawns.has(seat)) {
        const figure = symbol(`pawn-${seat}`, `pawn seat-${seat}`, this.ground);
        const number = make("text", { class: `pawn-number seat-${seat}` }, this.ground);
        number.textContent = seat;
        this.pawns.set(seat, this.adopt(figure, number, { x: 0, y: 0, turn: 0 }));
      }
      return this.pawns.get(seat);
    }
    // Moves a pawn through places, the last of which it then keeps.
    go(pawn, places, options) {
      const path = [{ x: pawn.x, y: pawn.y, turn: pawn.turn }, ...places].map((place) => ({ turn: pawn.turn, ...place }));
      this.put(pawn, path.at(-1));
      const frames = (write) => path.map((place) => ({ transform: write(place), ...(place.offset === undefined ? {} : { offset: place.offset }) }));
      pawn.number.animate(frames((place) => this.label(place)), options);
      return pawn.figure.animate(frames((place) => at(place)), options);
    }
    appear(pawn, place, duration) {
      this.put(pawn, place);
      const frames = [
        { transform: at(place, "scale(0)"), opacity: 0 },
        { transform: at(place, "scale(1.25)"), opacity: 1, offset: 0.7 },
        { transform: at(place), opacity: 1 },
      ];
      pawn.number.animate([{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], duration);
      pawn.figure.animate(frames, { duration, easing: "ease-out" });
    }
    vanish(element, frames, options) {
      const animation = element.animate(frames, { fill: "forwards", ...options });
      animation.finished.then(() => element.remove(), () => {});
    }
  }

  const ACTS = {
    caption() {},
    rest() {},
    round() {},
    end() {},
    place(scene, act) {
      scene.appear(scene.pawn(act.seat), act, act.ms);
    },
    teleport(scene, act) {
      const pawn = scene.pawn(act.seat);
      const ghost = pawn.figure.cloneNode();
      scene.ground.append(ghost);
      scene.vanish(ghost, [{ transform: at(pawn), opacity: 1 }, { transform: at(pawn, "scale(0)"), opacity: 0 }], { duration: act.ms / 2 });
      scene.appear(pawn, act, act.ms);
    },
    move(scene, act) {
      scene.go(scene.pawn(act.seat), [act], { duration: act.ms, easing: "ease-in-out" });
    },
    fall(scene, act) {
      scene.go(scene.pawn(act.seat), [act], { duration: act.ms, easing: act.first ? "ease-in" : "linear" });
    },
    wrap(scene, act) {
      const pawn = scene.pawn(act.seat);
      const [out, into] = [act.out, act.into].map(([x, y]) => ({ x, y, offset: 0.5 }));
      scene.go(pawn, [out, into, { x: act.x, y: act.y }], { duration: act.ms });
    },
    rotate(scene, act) {
      scene.go(scene.pawn(act.seat), [{ x: scene.pawn(act.seat).x, y: scene.pawn(act.seat).y, turn: act.turn }], { duration: act.ms, easing: "ease-in-out" });
    },
    "turn-tile"(scene, act) {
      const [x, y] = [act.left + act.side / 2, act.top + act.side / 2];
      const ground = scene.svg.querySelector(".still");
      // The tile with its stars and the door, cut out of the picture, turns over what it turns into.
      const cut = make("svg", { x: act.left, y: act.top, width: act.side, height: act.side, viewBox: `${act.left} ${act.top} ${act.side} ${act.side}` });
      cut.append(ground.cloneNode(true));
      const group = make("g", {});
      group.append(cut);
      const next = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${act.still}</svg>`, "image/svg+xml").querySelector(".still");
      ground.replaceWith(document.adoptNode(next));
      next.after(group);
      const moved = act.stars.map((star) => [scene.svg.querySelector(`[data-at="${star.from}"]`), star]);
      for (const [star] of moved) if (star) group.append(star);
      if (act.door.along) group.append(scene.door);
      for (const place of act.seats) scene.go(scene.pawn(place.seat), [place], { duration: act.ms, easing: "ease-in-out" });
      const turned = (by) => `translate(${x}px, ${y}px) rotate(${by}deg) translate(${-x}px, ${-y}px)`;
      const settle = () => {
        group.before(...[...group.children].filter((child) => child !== cut));
        group.remove();
        for (const [star, to] of moved) {
          star?.setAttribute("data-at", to.to);
          star?.setAttribute("transform", `translate(${to.x} ${to.y})`);
        }
        scene.door?.setAttribute("transform", `translate(${act.door.x} ${act.door.y}) rotate(${act.door.turn})`);
      };
      group.animate([{ transform: turned(0) }, { transform: turned(act.by) }], { duration: act.ms, easing: "ease-in-out", fill: "forwards" });
      return settle;
    },
    collect(scene, act) {
      const star = (act.at && scene.svg.querySelector(`[data-at="${act.at}"]`)) || symbol(act.symbol, "", scene.ground);
      star.removeAttribute("data-at");
      scene.ground.append(star);
      const frames = [
        { transform: at(act), opacity: 1 },
        { transform: at({ x: act.x, y: act.y - 26 }, "scale(1.5)"), opacity: 1, offset: 0.5 },
        { transform: at({ x: act.x, y: act.y - 60 }, "scale(0.5)"), opacity: 0 },
      ];
      scene.vanish(star, frames, { duration: act.ms, easing: "ease-out" });
    },
    spend(scene, act) {
      ACTS.collect(scene, { ...act, at: "" });
    },
    steal(scene, act) {
      const item = symbol(act.symbol, "", scene.ground);
      const [x, y] = act.from;
      const frames = [
        { transform: at({ x, y }, "scale(0.3)"), opacity: 0 },
        { transform: at({ x, y }, "scale(1.3)"), opacity: 1, offset: 0.4 },
        { transform: at(act, "scale(0.4)"), opacity: 0 },
      ];
      scene.vanish(item, frames, { duration: act.ms, easing: "ease-in-out" });
    },
    eject(scene, act) {
      const pawn = scene.pawn(act.seat);
      scene.pawns.delete(act.seat);
      scene.ground.append(pawn.figure);
      pawn.number.remove();
      scene.vanish(pawn.figure, [{ transform: at(pawn) }, { transform: at({ ...act, turn: pawn.turn + 540 }) }], { duration: act.ms, easing: "ease-in" });
    },
    leave(scene, act) {
      const pawn = scene.pawn(act.seat);
      scene.pawns.delete(act.seat);
      pawn.number.remove();
      scene.vanish(pawn.figure, [{ transform: at(pawn), opacity: 1 }, { transform: at(pawn, "scale(0)"), opacity: 0 }], { duration: act.ms });
    },
    door(scene, act) {
      const [old, fresh] = [scene.door, symbol("door-open", "open-door")];
      fresh.setAttribute("transform", `translate(${act.x} ${act.y}) rotate(${act.turn})`);
      old.before(fresh);
      scene.door = fresh;
      scene.vanish(old, [{ opacity: 1 }, { opacity: 0 }], { duration: act.ms });
      fresh.animate([{ opacity: 0 }, { opacity: 1 }], act.ms);
    },
  };

  // The stage covers the board and ends with everything that it holds.
  const begin = () => {
    finish();
    const frame = document.querySelector(".board-frame");
    const scroll = frame?.closest(".board-scroll");
    if (!frame || !scroll) return null;
    const stage = document.createElement("div");
    stage.className = "stage";
    stage.ariaHidden = "true";
    const caption = document.createElement("p");
    caption.className = "stage-caption";
    caption.setAttribute("aria-live", "off");
    caption.ariaHidden = "true";
    frame.append(stage);
    scroll.parentElement.querySelector(".caption-place")?.append(caption);
    run = { stage, caption, frame, scroll, left: scroll.scrollLeft, stopped: false, rate: rate() };
    return run;
  };
  const finish = () => {
    if (!run) return;
    if (run.all) tellOfAll(false);
    run.stopped = true;
    clearTimeout(run.timer);
    run.wake?.();
    run.stage.remove();
    run.caption.remove();
    run.frame.classList.remove("is-playing", "is-waiting");
    run.scroll.scrollLeft = run.left;
    run = null;
  };
  const pause = (now, ms) =>
    new Promise((wake) => {
      now.wake = wake;
      now.timer = setTimeout(wake, ms);
    });
  // On a screen narrower than the board, go where something happens.
  const follow = ({ scroll }, { x, y }, ground) => {
    if (x === undefined || y === undefined || scroll.scrollWidth <= scroll.clientWidth) return;
    const place = new DOMPoint(x, y).matrixTransform(ground.getScreenCTM()).x - scroll.getBoundingClientRect().left;
    if (place < 40 || place > scroll.clientWidth - 40) scroll.scrollLeft += place - scroll.clientWidth / 2;
  };
  const parse = (text) => new DOMParser().parseFromString(text, "text/html").querySelector("svg");

  const tell = (now, move, upto) => {
    const told = move.captions.slice(now.told ?? 0, upto).join(" ");
    now.told = upto;
    if (told) now.caption.textContent = told;
  };
  const perform = async (now, move) => {
    const picture = layOver(parse(move.board));
    now.told = 0;
    now.frame.classList.remove("is-waiting");
    now.stage.replaceChildren(picture);
    now.frame.classList.add("is-playing");
    const scene = new Scene(picture);
    for (const drawn of move.acts) {
      const act = { ...drawn, wait: drawn.wait / now.rate, ms: drawn.ms / now.rate };
      if (act.kind === "caption") tell(now, move, act.upto);
      follow(now, act, scene.ground);
      const settle = ACTS[act.kind](scene, act);
      if (act.wait) await pause(now, act.wait);
      if (now.stopped) return;
      settle?.();
    }
  };
  // Where nothing shall move: the way of the pawn on the board that stands there, its stops numbered, and all captions.
  const number = (now, moves, scene) => {
    const picture = scene ?? make("svg", { class: "gravity-board" });
    const ground = scene?.querySelector(".ground") ?? make("g", { class: "ground" }, picture);
    layOver(picture);
    const seen = new Set();
    let count = 0;
    let first = null;
    for (const act of moves.at(-1).acts) {
      if (!["place", "teleport", "move", "fall", "wrap"].includes(act.kind)) continue;
      count += 1;
      first ??= act;
      const again = seen.has(`${act.x},${act.y}`);
      seen.add(`${act.x},${act.y}`);
      const mark = make("g", { class: "stop", transform: `translate(${act.x - 12} ${act.y + (again ? 12 : -12)})` }, ground);
      make("circle", { r: 7.5 }, mark);
      make("text", { y: 3.4 }, mark).textContent = count;
    }
    now.stage.replaceChildren(picture);
    if (first) follow(now, first, ground);
    now.caption.textContent = moves.at(-1).captions.join(" ");
  };

  const known = (moves) => moves.every((move) => move.acts.every((act) => Object.hasOwn(ACTS, act.kind)));
  // What stood there before the news is left standing until they are played.
  const copy = () => {
    const picture = board()?.cloneNode(true);
    for (const part of picture?.querySelectorAll("defs, title, desc") ?? []) part.remove();
    for (const name of ["role", "aria-labelledby", "aria-describedby"]) picture?.removeAttribute(name);
    return picture;
  };
  // Without an answer nothing is played: the board as it is stands there all the time.
  const ask = async (source, first, last) => {
    if (first > last) return [];
    // Of a practice board the server keeps nothing: its turns go along.
    const form = document.getElementById(source.dataset.form);
    const body = form && new FormData(form);
    body?.append("first", first);
    body?.append("last", last);
    const query = body ? "" : `?first=${first}&last=${last}`;
    try {
      const headers = { Accept: "application/json" };
      const answer = await fetch(source.dataset.moves + query, body ? { method: "POST", body, headers } : { headers });
      return answer.ok ? (await answer.json()).moves : [];
    } catch {
      return [];
    }
  };
  const play = async (first, last, curtain, source = button()) => {
    if (!source || first < 1 || last < first) return;
    const now = begin();
    if (!now) return;
    if (curtain) {
      now.stage.append(curtain);
      now.frame.classList.add("is-playing");
    } else if (!still.matches) {
      now.frame.classList.add("is-waiting");
    }
    const moves = await ask(source, first, last);
    if (now.stopped) return;
    if (!moves.length || !known(moves)) return finish();
    if (still.matches) return number(now, moves);
    try {
      for (const move of moves) {
        await perform(now, move);
        if (now.stopped) return;
      }
    } finally {
      if (run === now) finish();
    }
  };

  // The whole game, from the position that is shown: a dozen entries a question, the next ones asked for while these are
  // played. Stopped, the page goes to the position that was reached.
  const every = () => document.getElementById("play-all");
  const tellOfAll = (playing) => {
    const source = every();
    if (!source) return;
    const words = playing ? source.dataset.pauseWords : source.dataset.playWords;
    source.title = source.ariaLabel = words;
    source.querySelector(".glyph").textContent = playing ? "❚❚" : "▶";
    source.toggleAttribute("data-playing", playing);
  };
  const askOn = (source, first) => ask(source, first, Math.min(first + BATCH - 1, Number(source.dataset.last)));
  const playAll = async () => {
    const source = every();
    const now = begin();
    if (!now) return;
    now.all = true;
    now.reached = Number(source.dataset.from);
    tellOfAll(true);
    let next = askOn(source, now.reached + 1);
    for (;;) {
      const moves = await next;
      if (now.stopped) return;
      if (!moves.length || !known(moves)) break;
      next = askOn(source, moves.at(-1).seq + 1);
      for (const move of moves) {
        now.reached = move.seq;
        document.dispatchEvent(new CustomEvent("position:passed", { detail: move.seq }));
        if (still.matches) {
          now.frame.classList.add("is-playing");
          number(now, [move], parse(move.board));
          await pause(now, 2500 / now.rate);
        } else {
          await perform(now, move);
        }
        if (now.stopped) return;
      }
    }
    settle(now);
  };
  // What was seen last stands until the page has the position.
  const settle = (now) => {
    const { reached } = now;
    now.all = false;
    now.stopped = true;
    clearTimeout(now.timer);
    now.wake?.();
    tellOfAll(false);
    document.dispatchEvent(new CustomEvent("position:reached", { detail: reached }));
  };
  const rate = () => Number(document.getElementById("speed")?.value) || 1;
  document.addEventListener("change", (event) => {
    if (event.target.id === "speed" && run) run.rate = rate();
  });
  document.addEventListener("htmx:after:request", (event) => {
    if (event.detail.ctx.sourceElement?.id === "position" && event.detail.ctx.response?.status !== 200) finish();
  });
  document.addEventListener("htmx:error", finish);

  // What was played, or stood on an open page, is not played again by itself.
  const memory = (source) => `played:${source.dataset.moves}`;
  const remember = (source) => {
    shown = Number(source.dataset.seq);
    tabMemory.put(memory(source), String(Math.max(shown, recall(source))));
  };
  const recall = (source) => Number(tabMemory.get(memory(source)));
  const mayMove = () => !document.hidden && !still.matches;
  const show = () => {
    const source = button();
    for (const one of document.querySelectorAll("#play:enabled, #play-all, [data-play]")) one.hidden = false;
    return source;
  };

  const open = () => {
    const source = show();
    if (!source) return;
    const { seq, since } = source.dataset;
    const seen = Math.max(Number(since), recall(source), Number(seq) - MOST);
    if (since && mayMove()) play(seen + 1, Number(seq));
    remember(source);
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest?.(".stage, .stage-caption")) return stop();
    const source = event.target.closest?.("#play, #play-all, [data-play]");
    if (!source) return;
    event.preventDefault();
    document.querySelector("#position-tools:popover-open")?.hidePopover();
    if (source === every()) return run?.all ? settle(run) : playAll();
    const seq = Number(source.dataset.play ?? source.dataset.seq);
    play(seq, Number(source.dataset.until ?? seq), null, source.dataset.moves ? source : button());
    // The home page presses by itself a button that nobody sees: that moves no page.
    if (source.checkVisibility()) run?.frame.scrollIntoView({ block: "nearest" });
  });
  const stop = () => (run?.all ? settle(run) : finish());
  document.addEventListener("keydown", (event) => {
    if (!run || ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)) return;
    if (run.all ? event.key === "Escape" : !(event.target.matches?.("#play, [data-play]") && ["Enter", " "].includes(event.key))) stop();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stop();
  });
  let curtain = null;
  let brings = false;
  let cut = 0;
  const changes = (ctx) => ![204, 304].includes(ctx.response?.status);
  document.addEventListener("htmx:before:swap", (event) => {
    const ctx = event.detail.ctx;
    if (!changes(ctx)) return;
    // News that are cut short by other news of the same page, as by a message, are played again.
    cut = ctx.sourceElement?.id === "live" ? (run?.news ?? 0) : 0;
    finish();
    // Asked before the swap: a button that the answer has no more is not known by its name afterwards.
    brings = BRINGS_TURNS.includes(ctx.sourceElement?.id);
    curtain = brings && mayMove() ? copy() : null;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const ctx = event.detail.ctx;
    if (!changes(ctx)) return;
    const source = show();
    if (!source) return;
    const seq = Number(source.dataset.seq);
    const from = Math.max(cut || shown + 1, seq - MOST + 1);
    const news = brings && from <= seq && source.dataset.latest;
    if (news && mayMove()) {
      play(from, seq, curtain);
      if (run) run.news = from;
    }
    if (source.dataset.latest) remember(source);
    curtain = null;
  });
  open();
})();

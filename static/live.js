// Lets an open game page follow the game: asks for news in growing intervals, not at all in a hidden tab; where it hears
// of changes (stream.js), at once, and else seldom.
(() => {
  "use strict";
  const SOONEST = 3000;
  const LATEST = 60000;
  let wait = SOONEST;
  let timer = 0;
  let hears = false;
  let heard = 0;

  const live = () => document.getElementById("live");
  const plan = () => {
    clearTimeout(timer);
    if (!document.hidden && live()) timer = setTimeout(ask, hears && live().dataset.live ? LATEST : wait);
  };
  const poll = () => document.body.dispatchEvent(new CustomEvent("board:poll"));
  const ask = () => {
    poll();
    wait = Math.min(wait * 1.25, LATEST);
    plan();
  };
  // A page that is only open is no reader: what was touched since the last question goes along with the next one. Nothing
  // that moves by itself counts, as the board does under a pointer that rests.
  let touched = false;
  const touch = (event) => {
    if (event.isTrusted && (event.type !== "pointermove" || event.movementX || event.movementY)) touched = true;
  };
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"]) {
    addEventListener(kind, touch, { capture: true, passive: true });
  }
  document.addEventListener("htmx:config:request", (event) => {
    const ctx = event.detail.ctx;
    if (ctx.sourceElement?.id !== "live") return;
    if (touched) ctx.request.headers["X-Touched"] = "1";
    touched = false;
  });

  const isGame = (ctx) => (ctx.target?.id ?? ctx.target) === "game" || ctx.target === "#game";
  const isMessages = (ctx) => ["talk-form", "talk"].includes(ctx.sourceElement?.id);
  const showTrouble = (shown) => document.getElementById("trouble")?.toggleAttribute("hidden", !shown);

  // On a screen narrower than the board, show the part of it where the piece to move stands.
  const look = () => {
    const frame = document.querySelector(".board-scroll");
    const piece = frame?.querySelector(".look-here");
    if (!piece || frame.scrollWidth <= frame.clientWidth) return;
    const [outer, inner] = [frame.getBoundingClientRect(), piece.getBoundingClientRect()];
    const seen = inner.left >= outer.left && inner.right <= outer.right;
    if (!seen) frame.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  };

  // Whatever comes and goes above it, the board keeps its place on the screen; the end of a game is read first.
  let held = 0;
  const boardTop = () => document.querySelector(".game-board")?.getBoundingClientRect().top ?? 0;
  const hold = () => {
    if (document.querySelector(".game-result")) return;
    scrollBy({ top: boardTop() - held, behavior: "instant" });
    const risen = held - boardTop();
    const head = document.querySelector(".game-head");
    if (head && risen > 0) head.style.minHeight = `${head.getBoundingClientRect().height + risen}px`;
  };
  // What was asked for is read from its beginning, which the board may lie over.
  const show = (sign) => {
    const board = document.querySelector(".game-board");
    if (!board || !sign) return;
    const [lid, box] = [board.getBoundingClientRect(), sign.getBoundingClientRect()];
    const below = board.compareDocumentPosition(sign) & Node.DOCUMENT_POSITION_FOLLOWING;
    const edge = below && box.left < lid.right && box.right > lid.left ? lid.bottom : 0;
    const top = scrollY + box.top - edge - 8;
    // Where the head of the page can be seen with it, that is shown too.
    if (box.top < edge) scrollTo({ top: edge === 0 && top < innerHeight / 2 ? 0 : top, behavior: "instant" });
  };
  document.addEventListener("htmx:before:swap", () => {
    held = boardTop();
  });

  // What can be scrolled can be reached with the keyboard; what can't is no stop on the way.
  const openToKeys = () => {
    for (const frame of document.querySelectorAll(".board-scroll, .table-wrap, .talk-list")) {
      const scrolls = frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight;
      frame.toggleAttribute("tabindex", scrolls);
      if (scrolls) frame.tabIndex = 0;
    }
  };

  // Where the log scrolls by itself, show in it the move that the board shows.
  const follow = () => {
    const line = document.querySelector(".log-line.shown");
    const log = line?.closest(".game-log");
    if (!log || log.scrollHeight <= log.clientHeight) return;
    const [outer, inner] = [log.getBoundingClientRect(), line.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) log.scrollTop += inner.top - outer.top - outer.height / 3;
  };

  // A tab in the background says whose turn it is, by its title and its icon.
  const site = document.title.slice(document.title.lastIndexOf(" · "));
  let turn = document.getElementById("game")?.dataset.turn;
  const sayTurn = () => {
    const game = document.getElementById("game");
    const icon = document.getElementById("icon");
    if (!game) return false;
    const turnCame = game.dataset.turn === "yours" && turn !== "yours";
    turn = game.dataset.turn;
    document.title = game.dataset.title + site;
    if (icon && icon.getAttribute("href") !== game.dataset.icon) icon.setAttribute("href", game.dataset.icon);
    return turnCame;
  };
  // What has changed is said politely to those who listen to the page.
  const announce = () => {
    const place = document.getElementById("announcement");
    const words = document.getElementById("game")?.dataset.say;
    if (place && words) place.textContent = words;
  };
  // Two soft notes, for who has asked for them.
  const ring = () => {
    if (browserMemory.get("sound") !== "on") return;
    const audio = new AudioContext();
    for (const [start, pitch] of [[0, 523.25], [0.18, 783.99]]) {
      const [note, loudness] = [audio.createOscillator(), audio.createGain()];
      note.frequency.value = pitch;
      loudness.gain.setValueAtTime(0, audio.currentTime + start);
      loudness.gain.linearRampToValueAtTime(0.08, audio.currentTime + start + 0.03);
      loudness.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + start + 0.9);
      note.connect(loudness).connect(audio.destination);
      note.start(audio.currentTime + start);
      note.stop(audio.currentTime + start + 1);
    }
    setTimeout(() => audio.close(), 2000);
  };
  const showChoices = () => {
    const [sound, keys] = [document.getElementById("sound-on"), document.getElementById("keys-on")];
    if (sound) sound.checked = browserMemory.get("sound") === "on";
    if (keys) keys.checked = browserMemory.get("keys") !== "off";
  };
  document.addEventListener("change", (event) => {
    if (event.target.id !== "sound-on") return;
    browserMemory.put("sound", event.target.checked ? "on" : "off");
    ring();
  });

  // The count of waiting games in the header is right on every page that is in sight.
  let counted = "";
  const count = async (hidden = false) => {
    const place = document.getElementById("waiting");
    if (!place || (document.hidden && !hidden)) return;
    try {
      const answer = await fetch(place.dataset.count, { headers: { "If-None-Match": counted, Accept: "text/html" }, redirect: "error" });
      if (answer.status !== 200) return;
      counted = answer.headers.get("ETag") ?? "";
      place.innerHTML = await answer.text();
    } catch {
      // The next question may be answered.
    }
  };
  setInterval(() => count(), 30000);

  // Closed once, the recap stays closed until there is another.
  const closed = (recap) => `recap ${recap.dataset.since}`;
  const keepClosed = () => {
    const recap = document.getElementById("recap");
    if (recap && tabMemory.get(closed(recap))) recap.open = false;
  };
  document.addEventListener("click", (event) => {
    const recap = event.target.closest("#recap > summary")?.parentElement;
    if (!recap) return;
    tabMemory.put(closed(recap), recap.open ? "1" : "");
  });

  // Who signed in again in another tab has a new token: this page takes it, and keeps what was chosen and typed.
  const takeToken = (event, ctx) => {
    const token = ctx.response.headers.get("X-CSRFToken");
    const word = document.getElementById("signed-in-again");
    word?.toggleAttribute("hidden", !token);
    if (!token) return false;
    for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
    if (word) word.innerHTML = ctx.text;
    event.preventDefault();
    return true;
  };

  // The answer to a message is the messages, or a word of the site, which stands at the top of the page.
  const checkMessages = (event, ctx) => {
    const limited = ctx.response.status === 429;
    const usable = limited || ctx.text.includes('id="talk-form"');
    showTrouble(!usable);
    if (!usable) event.preventDefault();
    if (limited || !usable) document.getElementById(limited ? "messages" : "trouble")?.scrollIntoView({ block: "center" });
  };

  // A stream says that a game has changed: the page asks for it, or counts anew how many wait.
  const isBehind = () => heard > Number(live()?.dataset.version ?? heard);
  document.body.addEventListener("stream:game", (event) => {
    if (event.detail.game === live()?.dataset.game) {
      heard = event.detail.version;
      if (isBehind()) poll();
    }
    count(true);
  });
  document.body.addEventListener("stream:look", () => {
    poll();
    count(true);
  });
  // What changed while an answer was on its way is asked for once more.
  let asked = 0;
  document.addEventListener("htmx:after:request", () => setTimeout(() => {
    if (!isBehind() || asked === heard) return;
    asked = heard;
    poll();
  }, 300));
  for (const [name, now] of [["open", true], ["closed", false]]) {
    document.body.addEventListener(`stream:${name}`, () => {
      hears = now;
      wait = SOONEST;
      plan();
    });
  }

  document.addEventListener("visibilitychange", () => {
    wait = SOONEST;
    if (document.hidden) return clearTimeout(timer);
    ask();
    count();
  });
  // An answer without a game in it (an error page, a sign-in page) must not take the board's place.
  document.addEventListener("htmx:after:request", (event) => {
    const ctx = event.detail.ctx;
    if (takeToken(event, ctx)) return showTrouble(false);
    if (isMessages(ctx)) return checkMessages(event, ctx);
    if (!isGame(ctx) || [204, 304].includes(ctx.response.status)) return;
    const usable = /id="(game|news-now|talk-list)"/.test(ctx.text);
    showTrouble(!usable);
    if (!usable) event.preventDefault();
  });
  document.addEventListener("htmx:error", () => showTrouble(true));
  document.addEventListener("htmx:after:swap", (event) => {
    const ctx = event.detail.ctx;
    if (isMessages(ctx)) return document.querySelector("#talk textarea")?.focus({ preventScroll: true });
    if (ctx.response?.raw?.url.endsWith("/chart/")) return document.getElementById("chart")?.focus({ preventScroll: true });
    if (!isGame(ctx) || [204, 304].includes(ctx.response?.status)) return;
    const posted = ctx.request?.method?.toUpperCase() === "POST";
    const next = document.getElementById("next");
    hold();
    wait = SOONEST;
    plan();
    look();
    follow();
    openToKeys();
    keepClosed();
    showChoices();
    announce();
    if (sayTurn() && ctx.sourceElement?.id === "live") ring();
    count();
    // The pressed button may be gone, or far from its answer: go on from what says what can be done now.
    const sign = next ?? document.getElementById("turn-sign");
    if (posted) show(sign);
    if (document.activeElement?.matches("body, .spot")) sign?.focus({ preventScroll: true });
  });
  // A page that comes back as it was left may be long out of date, or not its reader’s any more: they have signed out.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  addEventListener("resize", openToKeys);
  plan();
  look();
  follow();
  openToKeys();
  keepClosed();
  showChoices();
})();

// Looking back: a slider, keys, swipes and a speed. Each of them goes where a link of the page goes, or sends its form.
(() => {
  "use strict";
  const KEYS = { ArrowLeft: "go-back", ArrowRight: "go-on", Home: "go-first", End: "go-last", n: "next-mistake", p: "previous-mistake" };
  const FIELDS = "textarea, select, [contenteditable], dialog, :popover-open, input:not([type=checkbox])";
  const ACTIVE = "a, button, summary, label, input, [tabindex]:not([tabindex='-1'])";
  const SCROLLS = ".board-scroll[tabindex], .table-wrap[tabindex], .talk-list[tabindex], .game-log[tabindex]";
  const FAR = 60;
  const EDGE = 24;
  const slider = () => document.getElementById("position");

  // The number follows the slider at once, the board when it is let go. The first number of the words is the shown one.
  const name = (seq) => {
    for (const words of document.querySelectorAll(".position-number, .position-short")) {
      words.textContent = words.textContent.replace(/\d+/, seq);
    }
  };
  document.addEventListener("input", (event) => {
    if (event.target === slider()) name(event.target.value);
  });
  const go = (seq) => {
    slider().value = seq;
    slider().dispatchEvent(new Event("change", { bubbles: true }));
  };
  // What plays moves says how far it has come, and where it stopped.
  document.addEventListener("position:passed", ({ detail }) => {
    if (!slider()) return;
    slider().value = detail;
    name(detail);
  });
  document.addEventListener("position:reached", ({ detail }) => go(detail));
  // The latest position has the game's own address: it stays the latest when the game goes on.
  document.addEventListener("htmx:config:request", (event) => {
    const { sourceElement, request } = event.detail.ctx;
    if (sourceElement !== slider() || slider().value !== slider().max) return;
    request.body.delete("at");
  });

  const press = (id) => {
    const link = document.getElementById(id);
    if (!link || link.ariaDisabled === "true" || link.hidden) return false;
    link.click();
    return true;
  };
  const playing = () => document.querySelector("#play-all[data-playing]") !== null;
  document.addEventListener("keydown", (event) => {
    if (browserMemory.get("keys") === "off" || event.defaultPrevented) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(FIELDS)) return;
    const { key, target } = event;
    // While a turn is composed a small letter may be a card's.
    const asks = key === "R" || (key === "r" && !document.getElementById("compose"));
    if (asks && press("open-reference")) return event.preventDefault();
    if (event.shiftKey) return;
    if (key === " ") {
      if (target.closest?.(ACTIVE) || !press("play-all")) return;
      return event.preventDefault();
    }
    // While a turn is composed the arrows go from place to place on the board.
    const places = key.startsWith("Arrow") && document.querySelector(".spot");
    if (!KEYS[key] || places || target.closest?.(`.at-spot, ${SCROLLS}`)) return;
    if (playing() ? press("play-all") : press(KEYS[key])) event.preventDefault();
  });

  // The rules come up over the board; closed, they give the focus back.
  document.addEventListener("htmx:after:swap", ({ detail }) => {
    const dialog = document.getElementById("reference-dialog");
    if (detail.ctx.sourceElement?.id !== "open-reference" || dialog.open) return;
    dialog.showModal();
    dialog.scrollTop = 0;
    document.getElementById("reference-title").focus();
  });

  // A swipe over the board, where the board itself has nothing to be moved to.
  let touch = null;
  document.addEventListener("touchstart", (event) => {
    const [first, second] = event.touches;
    const board = event.target.closest?.(".game-board");
    const scroll = board?.querySelector(".board-scroll");
    const still = !scroll || scroll.scrollWidth <= scroll.clientWidth;
    const inside = first.clientX > EDGE && first.clientX < innerWidth - EDGE;
    touch = board && still && inside && !second && !zoomed() ? { x: first.clientX, y: first.clientY } : null;
  }, { passive: true });
  document.addEventListener("touchend", (event) => {
    if (!touch) return;
    const [along, across] = [event.changedTouches[0].clientX - touch.x, Math.abs(event.changedTouches[0].clientY - touch.y)];
    touch = null;
    if (Math.abs(along) >= FAR && across < Math.abs(along) / 2) press(along < 0 ? "go-on" : "go-back");
  }, { passive: true });
  const zoomed = () => (window.visualViewport?.scale ?? 1) > 1.01;

  const speed = () => document.getElementById("speed");
  const recall = () => {
    const kept = browserMemory.get("speed");
    if (speed() && [...speed().options].some((option) => option.value === kept)) speed().value = kept;
  };
  document.addEventListener("change", (event) => {
    if (event.target === speed()) browserMemory.put("speed", event.target.value);
  });
  document.addEventListener("htmx:after:swap", recall);
  recall();
})();

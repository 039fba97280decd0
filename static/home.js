// The board on the home page plays the last turns of its game over again. The game's own script plays one when its
// button is pressed; this one presses, while somebody may be looking and wants to see things move.
(() => {
  "use strict";
  const TURNS = 6;
  const ROUNDS = 5;
  const BEGIN = 1500;
  const AGAIN = 12000;
  const play = document.getElementById("play");
  const pause = document.getElementById("pause");
  const frame = document.querySelector(".hero-board .board-frame");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  if (!play || !pause || !frame || still.matches) return;

  const last = Number(play.dataset.last);
  const first = Math.max(1, last - TURNS + 1);
  let next = first;
  let rounds = 0;
  let wait = performance.now() + BEGIN;
  let seen = false;
  let paused = false;

  // Between two turns the picture that the first one ended with stays, or the board as it is now would flash up.
  const curtain = document.createElement("div");
  curtain.className = "curtain";
  curtain.ariaHidden = "true";
  const lift = () => curtain.remove();
  const idle = () => paused || !seen || document.hidden || still.matches;
  new MutationObserver((records) => {
    const gone = records.flatMap((record) => [...record.removedNodes]);
    const stage = gone.find((node) => node.classList?.contains("stage") && node.firstElementChild);
    if (!stage) return;
    if (idle() || next > last) return lift();
    curtain.replaceChildren(...stage.childNodes);
    frame.append(curtain);
  }).observe(frame, { childList: true });

  const tick = () => {
    if (idle()) return lift();
    if (frame.querySelector(".stage") || performance.now() < wait) return;
    if (next > last) {
      next = first;
      rounds += 1;
      wait = performance.now() + AGAIN;
      if (rounds === ROUNDS) stop();
      return;
    }
    play.dataset.seq = next;
    next += 1;
    play.click();
  };
  const clock = setInterval(tick, 200);
  const stop = () => {
    clearInterval(clock);
    pause.hidden = true;
    lift();
  };

  const toggle = () => {
    paused = !paused;
    [pause.textContent, pause.dataset.other] = [pause.dataset.other, pause.textContent];
    if (paused) frame.querySelector(".stage")?.click();
    else wait = 0;
  };
  pause.addEventListener("click", toggle);
  frame.addEventListener("click", (event) => {
    if (event.isTrusted && !paused) toggle();
  });
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
  }, { threshold: 0.4 }).observe(frame);
  pause.hidden = false;
})();

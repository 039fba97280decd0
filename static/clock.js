// Counts a deadline down from the server's instant, and asks the server when it has come: only the server ends a turn.
(() => {
  "use strict";
  const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const ASK_AGAIN = [0, 5, 15, 25, 45];
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang || "en", { numeric: "always" });
  let shown = null;
  let skew = 0;
  let asked = 0;

  const find = () => {
    const element = document.querySelector(".deadline time[data-now]");
    if (element === shown?.element && element?.dataset.now === shown?.now) return;
    shown = element && { element, now: element.dataset.now, due: Date.parse(element.dateTime) };
    if (shown) skew = Date.parse(shown.now) - Date.now();
    asked = 0;
  };
  const tick = () => {
    find();
    if (!shown) return;
    const left = Math.ceil((shown.due - (Date.now() + skew)) / 1000);
    if (left > 0) {
      const [unit, size] = UNITS.find(([, seconds]) => left >= 2 * seconds || seconds === 1);
      say(words.format(Math.round(left / size), unit));
    } else {
      say(place().dataset.over);
      ask(-left);
    }
  };
  const place = () => shown.element.parentElement.querySelector(".countdown");
  const say = (text) => {
    if (place().textContent !== text) place().textContent = text;
  };
  const ask = (late) => {
    if (asked < ASK_AGAIN.length && late >= ASK_AGAIN[asked]) {
      asked += 1;
      document.body.dispatchEvent(new CustomEvent("board:poll"));
    }
  };
  setInterval(tick, 1000);
  tick();
})();

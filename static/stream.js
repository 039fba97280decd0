// Hears which games have changed, where the site offers that; what is new, the page asks for as it does without.
// A tab has one stream. Out of sight for long it gives that up, and looks now and then, so that its title stays right.
(() => {
  "use strict";
  const HIDDEN_FOR = 600000;
  const LOOKS_EVERY = 120000;
  const AGAIN_AFTER = 60000;
  let stream = null;
  let address = "";
  let timer = 0;
  let looking = 0;

  const wanted = () => document.querySelector("#live[data-live], #waiting[data-live]")?.dataset.live ?? "";
  const tell = (name, detail) => document.body.dispatchEvent(new CustomEvent(`stream:${name}`, { detail }));
  const close = () => {
    clearTimeout(timer);
    if (!stream) return;
    stream.close();
    stream = null;
    tell("closed");
  };
  const open = () => {
    if (stream && address === wanted()) return;
    close();
    address = wanted();
    if (!address) return;
    stream = new EventSource(address);
    stream.addEventListener("open", () => tell("open"));
    stream.addEventListener("game", (event) => tell("game", JSON.parse(event.data)));
    // A stream that breaks is asked for anew by the browser, one that is refused after a while by us.
    stream.addEventListener("error", (event) => {
      tell("closed");
      if (event.target !== stream || stream.readyState !== EventSource.CLOSED) return;
      stream = null;
      timer = setTimeout(open, AGAIN_AFTER);
    });
  };
  const giveUp = () => {
    close();
    looking = setInterval(() => tell("look"), LOOKS_EVERY);
  };

  const start = () => {
    clearTimeout(timer);
    clearInterval(looking);
    if (document.hidden && wanted()) timer = setTimeout(giveUp, HIDDEN_FOR);
    if (!document.hidden) open();
  };
  document.addEventListener("visibilitychange", start);
  document.addEventListener("htmx:after:swap", () => {
    if (!document.hidden) open();
  });
  addEventListener("pagehide", close);
  start();
})();

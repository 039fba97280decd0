// Where the site is installed as an app, its icon says how many games wait, and a page without a connection says so.
(() => {
  "use strict";
  const manifest = document.querySelector("link[rel=manifest]");
  const place = document.getElementById("waiting");

  const badge = () => {
    // Whoever has signed out has no such place, and nothing waits for them.
    const waiting = Number(place?.querySelector(".count")?.textContent ?? 0);
    (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => {});
  };
  if ("setAppBadge" in navigator && document.querySelector(".site-nav")) {
    badge();
    if (place) new MutationObserver(badge).observe(place, { childList: true });
  }

  // In a tab a browser says by itself that there is no connection.
  if ("serviceWorker" in navigator && matchMedia("(display-mode: standalone)").matches) {
    navigator.serviceWorker.register(`${manifest.dataset.worker}?language=${document.documentElement.lang}`).catch(() => {});
  }
})();

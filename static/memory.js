// What a browser remembers, and what a tab does: words by name. Where it may not, they remember nothing.
const { browser: browserMemory, tab: tabMemory } = (() => {
  "use strict";
  const open = (kind) => ({
    get(name) {
      try {
        return window[kind].getItem(name);
      } catch {
        return null;
      }
    },
    put(name, words) {
      try {
        if (words) window[kind].setItem(name, words);
        else window[kind].removeItem(name);
      } catch {
        // The page goes on without.
      }
    },
  });
  return { browser: open("localStorage"), tab: open("sessionStorage") };
})();

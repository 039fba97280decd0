// The link of an invitation: copied by one press, or handed to what the device shares with.
(() => {
  "use strict";
  if (navigator.share) document.documentElement.classList.add("can-share");
  const copy = async (field) => {
    try {
      await navigator.clipboard.writeText(field.value);
      return true;
    } catch {
      // Without leave to write there it is ready to be copied by hand.
      field.select();
      return false;
    }
  };
  document.addEventListener("click", async ({ target }) => {
    const field = document.getElementById("link");
    if (target.closest("#copy-link")) {
      const copied = await copy(field);
      document.getElementById("copied").toggleAttribute("hidden", !copied);
    } else if (target.closest("#share-link")) {
      navigator.share({ title: document.title, url: field.value }).catch(() => {});
    }
  });
})();

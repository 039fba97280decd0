// A text in a field, as the link of an invitation: copied by one press, or handed to what the device shares with.
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
    const button = target.closest("[data-copies]");
    if (button) {
      const copied = await copy(document.getElementById(button.dataset.copies));
      document.getElementById("copied").toggleAttribute("hidden", !copied);
    } else if (target.closest("#share-link")) {
      navigator.share({ title: document.title, url: document.getElementById("link").value }).catch(() => {});
    }
  });
})();

// Offers the device's time zone: where times are shown in another one, and to who signs up. It is never taken silently.
(() => {
  "use strict";
  const HALF_A_YEAR = 182 * 24 * 3600 * 1000;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Two zones whose clocks agree, in summer as in winter, are no different to a reader.
  const agree = (zone) => {
    const times = [Date.now(), Date.now() + HALF_A_YEAR].map((time) => new Date(time));
    try {
      return times.every((time) => time.toLocaleString("en", { timeZone: zone }) === time.toLocaleString("en"));
    } catch {
      return false;
    }
  };

  // Whoever signs up sees it chosen, unless they or an earlier answer have chosen.
  const field = document.querySelector("select[data-offered]");
  const choice = [...(field?.options ?? [])].find((option) => option.value === here);
  if (choice && field.value === "UTC") choice.selected = true;

  const offer = document.getElementById("zone-offer");
  const kept = offer && `zone ${offer.dataset.zone} ${here}`;
  if (!offer || !here || agree(offer.dataset.zone) || browserMemory.get(kept)) return;
  offer.querySelector(".here").textContent = here.replaceAll("_", " ");
  offer.elements.time_zone.value = here;
  offer.hidden = false;
  offer.querySelector("[type=button]").addEventListener("click", () => {
    browserMemory.put(kept, "1");
    offer.hidden = true;
  });
})();

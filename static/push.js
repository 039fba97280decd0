// The settings page of push notifications: asks this browser for a subscription, and sends it with the form.
(() => {
  "use strict";
  const form = document.getElementById("add-device");
  const [denied, missing, failed] = ["push-denied", "push-missing", "push-failed"].map((id) => document.getElementById(id));
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return;
  missing.hidden = true;

  const text = (buffer) => {
    const code = btoa(String.fromCharCode(...new Uint8Array(buffer)));
    return code.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  const subscribe = async () => {
    const address = `${form.dataset.worker}?language=${document.documentElement.lang}`;
    await navigator.serviceWorker.register(address);
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that another key of the site has made, or that was removed here, is of no use.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key });
  };
  const show = () => {
    denied.hidden = Notification.permission !== "denied";
    form.hidden = !denied.hidden;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    failed.hidden = true;
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) === "granted") {
        const subscription = await subscribe();
        form.elements.address.value = subscription.endpoint;
        form.elements.public_key.value = text(subscription.getKey("p256dh"));
        form.elements.secret.value = text(subscription.getKey("auth"));
        form.submit();
        return;
      }
      show();
    } catch {
      failed.hidden = false;
    }
    button.disabled = false;
  });
  show();
})();

{% load static %}// Shows what the site pushes, and answers where there is no connection: with a page that says so, nothing else from memory.
"use strict";
const PAGE = "{% url 'offline' %}?language={{ LANGUAGE_CODE }}";
const NEEDED = [PAGE, "{% static 'site/base.css' %}", "{% static 'site/components.css' %}", "{% static 'icons/favicon.svg' %}"];
const ICON = "{% static 'icons/icon-192.png' %}";
const CACHE = NEEDED.join(" ");

addEventListener("install", (event) => {
  const fresh = NEEDED.map((address) => new Request(address, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => {
  const forget = (names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(forget).then(() => clients.claim()));
});
addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  const kept = event.request.mode === "navigate" ? PAGE : NEEDED.find((address) => address === pathname);
  if (event.request.method === "GET" && kept) {
    event.respondWith(fetch(event.request).catch(() => caches.match(kept)));
  }
});
addEventListener("push", (event) => {
  const { title, body, url, tag, waiting } = event.data.json();
  // What comes later about the same game takes the place of what came before.
  const options = { body, tag, renotify: true, icon: ICON, lang: "{{ LANGUAGE_CODE }}", data: { url } };
  const badge = waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.();
  event.waitUntil(Promise.all([registration.showNotification(title, options), Promise.resolve(badge).catch(() => {})]));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  const open = async () => {
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = pages.find((one) => one.url === url) ?? pages.find((one) => one.visibilityState === "visible");
    if (!page) return clients.openWindow(url);
    await page.focus();
    return page.url === url ? page : page.navigate(url).catch(() => clients.openWindow(url));
  };
  event.waitUntil(open());
});

{% load static %}// Answers for the installed site where there is no connection: with a page that says so, and nothing else from memory.
"use strict";
const PAGE = "{% url 'offline' %}?language={{ LANGUAGE_CODE }}";
const NEEDED = [PAGE, "{% static 'site/base.css' %}", "{% static 'site/components.css' %}", "{% static 'icons/favicon.svg' %}"];
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

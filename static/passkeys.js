// Passkeys: what the page asks for goes to the browser, and what that answers goes into the form.
(() => {
  "use strict";
  if (!window.PublicKeyCredential) return;
  const ANSWERS = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const toBytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const toText = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const withBytes = (one) => ({ ...one, id: toBytes(one.id) });

  const read = ({ creation_options, request_options }) => {
    const { publicKey } = creation_options ?? request_options;
    const asked = { ...publicKey, challenge: toBytes(publicKey.challenge) };
    if (asked.user) asked.user = withBytes(asked.user);
    for (const list of ["allowCredentials", "excludeCredentials"]) {
      if (asked[list]) asked[list] = asked[list].map(withBytes);
    }
    return { publicKey: asked };
  };
  const write = ({ id, type, response }) => {
    const answers = ANSWERS.filter((name) => response[name]).map((name) => [name, toText(response[name])]);
    return JSON.stringify({ id, rawId: id, type, response: Object.fromEntries(answers), clientExtensionResults: {} });
  };
  const load = async (form) => {
    const given = document.getElementById("passkey-options");
    if (given) return JSON.parse(given.textContent);
    const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.json();
  };

  for (const part of document.querySelectorAll("[data-passkeys]")) part.hidden = false;
  for (const part of document.querySelectorAll("[data-no-passkeys]")) part.hidden = true;
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("[data-passkey]")) return;
    event.preventDefault();
    const button = form.querySelector("button");
    const failed = form.querySelector("[data-failed]");
    button.disabled = failed.hidden = true;
    try {
      const credential = await navigator.credentials[form.dataset.passkey](read(await load(form)));
      form.elements.credential.value = write(credential);
      form.submit();
    } catch {
      // Called off, out of time, or a passkey that is there already: the browser has said which.
      failed.hidden = false;
    }
    button.disabled = false;
  });
})();

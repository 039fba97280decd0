// Plays Gravity Superstar through the site's API, looking one step ahead. docs/bots-by-api.md tells the rest.
//
// GRAVITY_SITE=http://localhost:8000 GRAVITY_TOKEN=gst_… node bot.mjs --new nova:1   (Node.js 18.3 or later)

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const API = (process.env.GRAVITY_SITE ?? "http://localhost:8000").replace(/\/+$/, "") + "/api/v1";
const HEADERS = { Authorization: `Bearer ${process.env.GRAVITY_TOKEN ?? ""}`, "Content-Type": "application/json" };

class Refused extends Error {}

/** Return the site's answer, to a POST where there is a body. Throws `Refused` where it refuses. */
async function ask(path, body, key) {
  const headers = key ? { ...HEADERS, "Idempotency-Key": key } : HEADERS;
  const request = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  // While the site is away or busy, the same request is sent again: when Retry-After says, else ever less often.
  for (let pause = 0.5; ; pause = Math.min(2 * pause, 60)) {
    let wait = pause;
    try {
      const answer = await fetch(API + path, { ...request, signal: AbortSignal.timeout(30_000) });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      if (answer.status !== 429 && answer.status < 500) throw new Refused(text, { cause: answer.status });
      wait = Number(answer.headers.get("Retry-After") ?? pause);
    } catch (error) {
      if (error instanceof Refused) throw error;
      console.log(error.cause?.code ?? error.message); // no answer, or half of one
    }
    await sleep(1000 * wait);
  }
}

/** Say why something was refused, and go on. Without a valid token there is nothing to go on with. */
function tell(error) {
  if (!(error instanceof Refused) || error.cause === 401) throw error;
  console.log(error.message);
}

/** Build a turn step by step: see where some of the legal steps lead, and take the one with the best points. */
async function chooseTurn({ key, seq, viewer }, looks) {
  const steps = [];
  const look = (...more) => // "." ends the turn, and is not written
    ask(`/games/${key}/legal/`, { seq, steps: [...steps, ...more].filter((step) => step !== ".") });
  while (!steps.includes(".")) {
    const shuffled = (await look()).legal.map((step) => [Math.random(), step]).sort(); // chance decides between equals
    let best = -Infinity, chosen;
    for (const [, step] of shuffled.slice(0, looks)) {
      const { points } = (await look(step)).preview.position;
      const [mine] = points.splice(viewer - 1, 1); // seats are numbered from 1
      const lead = mine - Math.max(...points);
      if (lead > best) [best, chosen] = [lead, step];
    }
    steps.push(chosen);
  }
  return steps.slice(0, -1).join(" ");
}

/** Play a turn in a game that waits for one. However often it is sent, it is played once. */
async function playTurn(game, looks) {
  const turn = await chooseTurn(game, looks);
  await ask(`/games/${game.key}/turns/`, { seq: game.seq, turn }, `${game.key}-${game.seq}`);
  console.log(`${game.key}: ${turn}`);
}

/** Take seats in games to which we are invited, and in open ones, up to so many games at once. */
async function joinGames(most, tried) {
  const mine = (await ask("/me/")).games;
  const free = Math.max(0, most - mine.to_move - mine.waiting - mine.open);
  const lists = [await ask("/games/?invited=true"), await ask("/games/?takes_bots=true")];
  const found = lists.flatMap(({ games }) => games.map((game) => game.key));
  for (const key of found.filter((key) => !tried.has(key)).slice(0, free)) {
    tried.add(key);
    await ask(`/games/${key}/join/`, {}).catch(tell); // somebody was faster, or the game does not take us
  }
}

const options = {
  new: { type: "string" }, // start a game against this computer player unless one is running
  join: { type: "string", default: "0" }, // join games, up to so many at once
  looks: { type: "string", default: "8" }, // at how many next steps to look
  every: { type: "string", default: "10" }, // seconds from one look for turns to the next
};
const { values } = parseArgs({ options });
process.on("SIGINT", () => process.exit());
try {
  console.log("Playing as", (await ask("/me/")).name);
  const running = (await ask("/games/?status=active&mine=true")).games;
  if (values.new && !running.some((game) => game.seats.some((seat) => seat.bot === values.new)))
    await ask("/games/", { size: 2, bots: [values.new] }, randomUUID());
  for (const tried = new Set(); ; await sleep(1000 * values.every)) {
    if (values.join > 0) await joinGames(values.join, tried);
    for (const game of (await ask("/me/waiting/")).games) await playTurn(game, values.looks).catch(tell);
  }
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

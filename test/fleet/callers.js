// Callers that make calls one after the other, each at the next server, and go on if one does not answer, as behind a balancer.

import { setTimeout as pause } from "node:timers/promises";
import { WRITE_KEY } from "./members.js";

const CALLERS = 4;
const LIMIT_MS = 5_000;
/** A pause after a server that does not answer. */
const PAUSE_MS = 20;

export function createCallers(urls) {
  const accepted = [];
  let refused = 0;
  let isStopped = false;

  async function call(caller) {
    for (let made = 0; !isStopped; made += 1) {
      const all = urls();
      const messageId = `${String(caller)}-${String(made)}`;
      if (await track(all[(caller + made) % all.length], messageId)) accepted.push(messageId);
      else {
        refused += 1;
        await pause(PAUSE_MS);
      }
    }
  }

  const running = Array.from({ length: CALLERS }, (_, caller) => call(caller));
  return {
    accepted: () => accepted,
    refused: () => refused,
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

async function track(url, messageId) {
  try {
    const response = await fetch(`${url}/v1/track`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}` },
      body: JSON.stringify({ messageId, userId: "u1", event: "Signed Up" }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

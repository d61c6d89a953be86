// Claims once, waits for a signal, then claims and delivers until nothing is left, and prints the id of each delivery that
// it settled. Repeats a request while another process is writing.

import { readSync, writeSync } from "node:fs";
import { changes, NOW, store, WORDS } from "./store.js";

const [token = "token"] = WORDS;
const BUSY_TRIES = 1_000;

async function patiently(question) {
  for (let tries = 0; tries < BUSY_TRIES; tries += 1) {
    try {
      return await question();
    } catch (error) {
      if (error.code !== "busy") throw error;
    }
  }
  throw new Error("busy for ever");
}

function claim() {
  const lanes = [{ lane: "crm", limit: 3 }];
  return patiently(() => store.claim({ token, leaseMs: 30_000, lanes }, NOW));
}

let { deliveries } = await claim();
// Waits for a signal from outside, so that several hold claims before any settles.
writeSync(1, "ready\n");
readSync(0, new Uint8Array(1));

while (deliveries.length > 0) {
  const settle = deliveries.map(({ id }) => ({
    ...{ id, token, attempts: [], endpoints: [] },
    outcome: { kind: "delivered", detail: "200" },
  }));
  const { settled } = await patiently(() => store.commit(changes(token, { settle }), NOW));
  for (const [index, { id }] of deliveries.entries()) writeSync(1, `${id} ${settled[index]}\n`);
  ({ deliveries } = await claim());
}

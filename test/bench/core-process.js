// Runs core alone, or the minimal equivalent, for a given time, as fast as one thread can. Prints how many a second.

import { signBody } from "@postrider/core";
import { encodeMessage, mapCall } from "@postrider/core/engine";
import { createHmac, randomBytes } from "node:crypto";
import { sampleCall } from "./calls.js";
import { now } from "./now.js";
import { SECRET } from "./scene.js";

const ARMS = { core, bare };
const CALLS = 1_000;
const LAST = CALLS - 1;
/** Calls between two reads of the clock. */
const STRIDE = 100;

const [, , arm, runMs, warmUpMs] = process.argv;
const work = ARMS[arm]();
run(Number(warmUpMs));
const { count, ms } = run(Number(runMs));
console.log(JSON.stringify({ perSecond: (count / ms) * 1_000, ...work(LAST) }));

function run(forMs) {
  const startedAt = now();
  let count = 0;
  while (now() - startedAt < forMs) {
    for (let index = 0; index < STRIDE; index += 1) work((count + index) % CALLS);
    count += STRIDE;
  }
  return { count, ms: now() - startedAt };
}

/** From a call, as the ingest API passes it, to bytes and their signature. */
function core() {
  const calls = stampedCalls();
  return (index) => {
    const body = encodeMessage(mapCall(calls[index]));
    return { bytes: body.length, signature: signBody(SECRET, body) };
  };
}

/** From a finished message to text and its signature. */
function bare() {
  const messages = stampedCalls().map(mapCall);
  return (index) => {
    const text = JSON.stringify(messages[index]);
    return { bytes: text.length, signature: createHmac("sha1", SECRET).update(text).digest("hex") };
  };
}

function stampedCalls() {
  return Array.from({ length: CALLS }, (_, index) => {
    const call = sampleCall();
    const at = Date.UTC(2026, 0, 31, 12) + index;
    // The same id in both, so that the results can be compared.
    const messageId = index === LAST ? "last" : randomBytes(16).toString("hex");
    const times = { timestamp: at, originalTimestamp: at, sentAt: at, receivedAt: at };
    return { ...times, messageId, call: { ...call, userId: `user-${index}`, timestamp: at } };
  });
}

// One arm of the bench, in a separate process: makes calls with one library until the last batch was handed to its
// transport, which answers at once, and prints how long that took. All do the same work: the same calls, batches of 20, a
// turn of the event loop after each 20 calls. `floor` is no library but the minimum: the platform's JSON of a call with
// its id and its time; it checks nothing, stores nothing and retries nothing.

import { Analytics } from "@segment/analytics-node";
import { createClient } from "@postrider/client";

const BATCH = 20;
const WARM_UP = 50_000;

const ARMS = { ours, segment, floor };

const [, , name, calls] = process.argv;
let batches = 0;
let bytes = 0;
const track = ARMS[name]();

await make(WARM_UP);
global.gc?.();
const before = { batches, cpu: process.cpuUsage(), at: performance.now() };
await make(Number(calls));
const wallMs = performance.now() - before.at;
const { user, system } = process.cpuUsage(before.cpu);
console.log(
  JSON.stringify({ calls: Number(calls), batches: batches - before.batches, bytes, wallMs, cpuUs: user + system }),
);
setTimeout(() => process.exit(0), 100);

async function make(count) {
  const due = batches + count / BATCH;
  for (let made = 0; made < count; made += BATCH) {
    for (let index = 0; index < BATCH; index += 1) track(callOf(made + index));
    await turn();
  }
  while (batches < due) await turn();
}

function callOf(number) {
  return {
    userId: `user-${number}`,
    event: "Order Completed",
    properties: { orderId: `order-${number}`, total: 19.99, currency: "EUR", coupon: "SPRING", products: ["a1", "b2"] },
    context: { ip: "203.0.113.7", locale: "de-DE" },
  };
}

function ours() {
  const transport = (_url, { body }) => Promise.resolve(taken(body));
  const client = createClient("key", { endpoint: "http://127.0.0.1", flushAt: BATCH, transport });
  return (call) => client.track(call);
}

function segment() {
  const httpClient = { makeRequest: ({ body }) => Promise.resolve(taken(body)) };
  const analytics = new Analytics({ writeKey: "key", host: "http://127.0.0.1", flushAt: BATCH, httpClient });
  return (call) => analytics.track(call);
}

function floor() {
  const library = { name: "floor", version: "0.0.0" };
  let texts = [];
  return ({ userId, event, properties, context }) => {
    const timestamp = new Date().toISOString();
    const messageId = crypto.randomUUID();
    texts.push(
      JSON.stringify({
        type: "track",
        messageId,
        timestamp,
        userId,
        event,
        properties,
        context: { library, ...context },
      }),
    );
    if (texts.length < BATCH) return;
    taken(`{"sentAt":"${timestamp}","batch":[${texts.join(",")}]}`);
    texts = [];
  };
}

function taken(body) {
  batches += 1;
  bytes += body.length;
  return { status: 200, statusText: "OK", ok: true, headers: new Headers(), body: null, text: async () => "" };
}

function turn() {
  return new Promise((resolve) => setImmediate(resolve));
}

// Makes calls in a process with little memory while the server is down, and prints their outcomes, the time and the
// memory.

import { createClient } from "@postrider/client";

const [, , endpoint, calls] = process.argv;
const ends = { delivered: 0, failed: 0, told: 0 };
const client = createClient("key", {
  endpoint,
  firstRetryMs: 10,
  maxRetryMs: 1_000,
  closeTimeoutMs: 500,
  onDelivered: () => (ends.delivered += 1),
  onFailed: ({ reason }) => (reason === "not-queued" ? (ends.told += 1) : (ends.failed += 1)),
});

let queued = 0;
let full = 0;
let mostBytes = 0;
for (let made = 0; made < Number(calls); made += 1) {
  const call = { userId: "u1", event: "e", properties: { n: made, text: "x".repeat(3_000) } };
  const { kind, code } = client.track(call);
  if (kind === "ok") queued += 1;
  else if (code === "queue-full") full += 1;
  if (made % 1_000 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  mostBytes = Math.max(mostBytes, made % 100 === 0 ? process.memoryUsage.rss() : 0);
}
const { undelivered } = await client.close();
console.log(JSON.stringify({ queued, full, ...ends, undelivered: undelivered.length, mostBytes }));

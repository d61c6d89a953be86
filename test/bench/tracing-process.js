// An embedded Postrider on a SQLite file that accepts calls one by one and delivers them all, with spans or without. Prints the CPU
// of a call with its delivery, over all threads, and how many spans were exported.
// `node tracing-process.js RECEIVER SHARE CALLS`: SHARE of the calls are recorded; "off" means no OpenTelemetry at all, "host" that the
// host has OpenTelemetry, and Postrider does not take part.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostrider } from "postrider";
import { sampleCall } from "./calls.js";
import { SECRET } from "./scene.js";

const AT_ONCE = 40;

const [, , receiver, share, calls] = process.argv;
const host = share === "off" ? undefined : await startHost(share === "host" ? 1 : Number(share));
const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
let delivered = 0;
const postrider = await createPostrider({
  store: `sqlite:${join(folder, "store.db")}`,
  sources: [{ id: "site", writeKey: "wk-bench" }],
  destinations: [{ id: "crm", sources: ["site"], endpoints: [{ url: `${receiver}/hook` }], sharedSecret: SECRET }],
  network: { allow: ["127.0.0.0/8"] },
  observe: ({ kind }) => {
    if (kind === "delivered") delivered += 1;
  },
  ...(host === undefined || share === "host" ? {} : { opentelemetry: host.opentelemetry }),
});

let accepted = 0;
await pour(Number(calls) / 2);
const before = process.cpuUsage();
await pour(Number(calls));
const { user, system } = process.cpuUsage(before);
await postrider.close();
await host?.stop();
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ microseconds: (user + system) / Number(calls), spans: host?.exported() ?? 0 }));

/** OpenTelemetry is loaded only where it takes part. */
async function startHost(shareOfCalls) {
  const { createDeliverySampler } = await import("@postrider/telemetry");
  const { countSpans, inHostSpan, sharedSampler } = await import("../programs/opentelemetry/record-spans.js");
  const host = countSpans(createDeliverySampler(sharedSampler(shareOfCalls)));
  // From its first active span on, the context manager of the SDK follows each promise of the process.
  await inHostSpan("start", () => Promise.resolve());
  return host;
}

function acceptNext() {
  accepted += 1;
  return postrider.accept("site", [{ ...sampleCall(), messageId: `bench-${String(accepted)}` }]);
}

/** Until all are delivered. */
async function pour(count) {
  const last = accepted + count;
  while (accepted < last) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => acceptNext()));
  }
  while (delivered < accepted) await new Promise((resolve) => setTimeout(resolve, 5));
}

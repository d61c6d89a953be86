// Embedded Postriders on SQLite files that accept calls one by one and deliver them all, in one process, whose CPU time is measured
// over all threads while one of them works. Prints microseconds of a call for each arm and each round, and the number of spans.
// `node tracing-process.js RECEIVER SHARE ROUNDS CALLS`: the host has OpenTelemetry, and SHARE of the calls of the arm `traced` are
// recorded; with SHARE `none` there is no OpenTelemetry, and no such arm. CALLS of each arm in each round.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostrider } from "postrider";
import { sampleCall } from "./calls.js";
import { SECRET } from "./scene.js";
import { shuffled } from "./statistics.js";

const AT_ONCE = 40;
/** Calls of one arm before the next has its turn: short, so that whatever else the machine does meets all arms. */
const CALLS_PER_TURN = 400;

const [, , receiver, share, rounds, calls] = process.argv;
const host = share === "none" ? undefined : await startHost(Number(share));
const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
const arms = [
  await createArm("off"),
  await createArm("off again"),
  ...(host === undefined ? [] : [await createArm("traced", host.opentelemetry)]),
];

// The first turns are for the compiler.
await playRound(Number(calls) / 2);
const microseconds = [];
for (let round = 0; round < Number(rounds); round += 1) microseconds.push(await playRound(Number(calls)));
for (const { postrider } of arms) await postrider.close();
await host?.stop();
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ microseconds, spans: host?.exported() ?? 0 }));

/** OpenTelemetry is loaded only where it takes part. */
async function startHost(shareOfCalls) {
  const { createDeliverySampler } = await import("@postrider/relay/metrics");
  const { countSpans, inHostSpan, sharedSampler } = await import("../programs/opentelemetry/record-spans.js");
  const host = countSpans(createDeliverySampler(sharedSampler(shareOfCalls)));
  // From its first active span on, the context manager of the SDK follows each promise of the process.
  await inHostSpan("start", () => Promise.resolve());
  return host;
}

async function createArm(name, opentelemetry) {
  const arm = { name, accepted: 0, delivered: 0, cpu: 0 };
  arm.postrider = await createPostrider({
    store: `sqlite:${join(folder, `${name}.db`)}`,
    sources: [{ id: "site", writeKey: "wk-bench" }],
    destinations: [{ id: "crm", sources: ["site"], endpoints: [{ url: `${receiver}/hook` }], sharedSecret: SECRET }],
    network: { allow: ["127.0.0.0/8"] },
    observe: ({ kind }) => {
      if (kind === "delivered") arm.delivered += 1;
    },
    ...(opentelemetry === undefined ? {} : { opentelemetry }),
  });
  return arm;
}

/** The arms take turns in an order drawn anew, until each has delivered `count` calls; answers microseconds of a call. */
async function playRound(count) {
  for (const arm of arms) arm.cpu = 0;
  for (let played = 0; played < count; played += CALLS_PER_TURN) {
    for (const arm of shuffled(arms)) await playTurn(arm, Math.min(CALLS_PER_TURN, count - played));
  }
  return Object.fromEntries(arms.map(({ name, cpu }) => [name, cpu / count]));
}

async function playTurn(arm, count) {
  const before = process.cpuUsage();
  const last = arm.accepted + count;
  while (arm.accepted < last) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, last - arm.accepted) }, () => acceptNext(arm)));
  }
  while (arm.delivered < arm.accepted) await new Promise((resolve) => setTimeout(resolve, 1));
  const { user, system } = process.cpuUsage(before);
  arm.cpu += user + system;
}

function acceptNext(arm) {
  arm.accepted += 1;
  return arm.postrider.accept("site", [{ ...sampleCall(), messageId: `bench-${String(arm.accepted)}` }]);
}

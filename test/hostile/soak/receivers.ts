// `npm run soak -- receivers`: every hostile receiver against every adapter with the real deadline, twenty times, and
// writes the table of docs/hostile-receivers.md. HOSTILE_TIMEOUT_MS sets a shorter deadline.

import { writeFileSync } from "node:fs";
import { cpus, release, type } from "node:os";
import { env, version, versions } from "node:process";
import { judgeReply, type Reply } from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import { type HostileReceiver, startReceiver, HOSTILE_RECEIVERS } from "@postrider/testkit/hostile-receivers";
import { format } from "prettier";
import { expect, it } from "vitest";
import {
  type Adapter,
  ADAPTERS,
  keptAfter,
  openSubject,
  sendTimed,
  settles,
  type Subject,
  wordFor,
} from "../measure.js";
import { openHandles, steadyBytesInUse } from "../memory.js";

const TIMEOUT_MS = Number(env["HOSTILE_TIMEOUT_MS"] ?? 5_000);
const WARM_UP_MS = 200;
const RUNS = 20;
const AT_ONCE = 5;
const LATE_MS = 100;
const SEEN_WITHIN_MS = 3_000;
const MAX_GROWTH_BYTES = 5_000_000;
const PAGE = new URL("../../../docs/hostile-receivers.md", import.meta.url);

interface Row {
  readonly words: readonly string[];
  readonly verdicts: readonly string[];
  readonly fastestMs: number;
  readonly slowestMs: number;
  readonly sockets: number;
  readonly timers: number;
  readonly growthBytes: number;
}

it("every adapter withstands every hostile receiver", async () => {
  const rows = new Map<string, Row>();
  for (const hostile of HOSTILE_RECEIVERS) {
    for (const adapter of ADAPTERS) {
      const row = await measure(hostile, adapter);
      rows.set(`${hostile.name} ${adapter}`, row);
      console.log([hostile.name, adapter, ...cells(row)].join(" | "));
    }
  }
  writeFileSync(PAGE, await format(page(rows), { parser: "markdown", printWidth: 120 }));
  expect([...rows].filter(([key, row]) => !isBorne(key, row)).map(([key]) => key)).toEqual([]);
});

function isBorne(key: string, { slowestMs, sockets, timers, growthBytes }: Row): boolean {
  // A fetch's connections are the runtime's: no part of what the adapter supports.
  const areSocketsGone = sockets === 0 || key.endsWith(" fetch");
  const isOnTime = timers === 0 && slowestMs < TIMEOUT_MS + LATE_MS;
  return isOnTime && areSocketsGone && growthBytes < MAX_GROWTH_BYTES;
}

async function measure(hostile: HostileReceiver, adapter: Adapter): Promise<Row> {
  const subject = openSubject(adapter);
  await runMany(hostile, subject, WARM_UP_MS);
  const before = { bytes: await steadyBytesInUse(), ...openHandles() };
  const runs = await runMany(hostile, subject, TIMEOUT_MS);
  await settles(() => openHandles().sockets <= before.sockets && subject.pendingTimers() === 0, SEEN_WITHIN_MS);
  const timers = subject.pendingTimers();
  const growthBytes = (await steadyBytesInUse()) - before.bytes;
  await subject.close();
  const took = runs.map((run) => run.tookMs);
  return {
    words: distinct(runs.map(({ reply }) => wordFor(reply))),
    verdicts: distinct(runs.map(({ reply }) => verdictFor(reply))),
    fastestMs: Math.min(...took),
    slowestMs: Math.max(...took),
    sockets: Math.max(...runs.map((run) => run.sockets)),
    timers,
    growthBytes,
  };
}

interface Run {
  readonly reply: Reply;
  readonly tookMs: number;
  /** Open sockets that cannot be used for another request. */
  readonly sockets: number;
}

async function runMany(hostile: HostileReceiver, subject: Subject, timeoutMs: number): Promise<readonly Run[]> {
  const runs: Run[] = [];
  while (runs.length < RUNS) {
    runs.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => run(hostile, subject, timeoutMs)))));
  }
  return runs;
}

async function run(hostile: HostileReceiver, subject: Subject, timeoutMs: number): Promise<Run> {
  const receiver = await startReceiver(hostile.script, createSystemClock());
  const { reply, tookMs } = await sendTimed(subject, receiver.url, timeoutMs);
  const kept = keptAfter(hostile);
  await settles(() => receiver.openConnections() <= kept, timeoutMs - tookMs + SEEN_WITHIN_MS);
  const sockets = Math.max(0, receiver.openConnections() - kept);
  await receiver.close();
  return { reply, tookMs, sockets };
}

function verdictFor(reply: Reply): string {
  return judgeReply(reply);
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words)].toSorted();
}

function cells({ words, verdicts, fastestMs, slowestMs, sockets, timers, growthBytes }: Row): readonly string[] {
  return [
    words.join(", "),
    verdicts.join(", "),
    span(fastestMs, slowestMs),
    `${String(sockets)}, ${String(timers)}`,
    String(Math.round(growthBytes / 1_000)),
  ];
}

function span(fastestMs: number, slowestMs: number): string {
  const [from, to] = [Math.round(fastestMs), Math.round(slowestMs)];
  return from === to ? String(from) : `${String(from)}-${String(to)}`;
}

function page(rows: ReadonlyMap<string, Row>): string {
  const lines = HOSTILE_RECEIVERS.map(({ name, does }) => {
    const measured = ADAPTERS.flatMap((adapter) => cells(rows.get(`${name} ${adapter}`)!));
    return `| \`${name}\` | ${does} | ${measured.join(" | ")} |`;
  });
  const titles = ["says", "verdict", "ms", "left", "heap"];
  const heads = [
    "habit",
    "a receiver that",
    ...ADAPTERS.flatMap((adapter) => titles.map((title) => `${adapter} ${title}`)),
  ];
  return `# Hostile receivers

<!-- Written by \`npm run soak -- receivers\`; run it instead of editing. -->

How the HTTP adapters handle every receiver in \`@postrider/testkit/hostile-receivers\`: the reply of \`send\`, the verdict
of the round, how long it took, what was left open, and how much memory had grown.

- **ms**: the fastest and the slowest of ${String(RUNS)} requests, ${String(AT_ONCE)} at a time, with a deadline of ${String(TIMEOUT_MS)} ms. Receivers ran in the same process.
- **left**: sockets other than one that is good for another request, and timers, once all was over.
- **heap**: growth over the ${String(RUNS)} requests, in kB, after ${String(RUNS)} to warm up, once it stays as it is; below zero, it shrank.
- A \`fetch\` reads framing without end until time is up, keeps a TLS connection that it has half dialled for ten seconds,
  refuses what is zipped more than five times, and unzips ahead of who reads it, for a moment in tens of megabytes; see
  [its README](../packages/fetch/README.md). The server delivers with \`undici\`.
- An unrequested answer is dropped while its connection is idle. One that comes during the next request cannot be
  distinguished from the answer to that request; this is a property of HTTP/1.1.
- To \`undici\`, the status line of a success is the receiver's word, whatever breaks behind it, and a 100 that no request
  asked for is skipped. A \`fetch\` shows no status before the runtime's parser has read the whole head.

Measured with Node ${version}, OpenSSL ${versions.openssl}, ${type()} ${release()}, ${String(cpus().length)} cores.

| ${heads.join(" | ")} |
| ${heads.map(() => "---").join(" | ")} |
${lines.join("\n")}
`;
}

// A trace that version 0.1.0 has saved is read by every later version; `test/vectors/traces` keeps one of each format.

import { gunzipSync, gzipSync } from "node:zlib";
import { createRelay } from "@postrider/relay";
import { readTrace, replayTrace, repliesOf } from "@postrider/trace";
import { expect, it } from "vitest";
import { playIncident } from "./rig.js";

const TURNS = 1049;

it("reads a trace of version 1, and replays it to its end or says where this version departs", async () => {
  const trace = await readTrace("test/vectors/traces/version-1.trace");
  expect(trace).toMatchObject({ version: 1, bodies: "digest", isCut: false });
  expect(trace.segments.map(({ turns }) => turns.length)).toEqual([TURNS]);
  expect(Object.keys(repliesOf(trace)).length).toBe(4);
  const run = await replayTrace(trace, (ports) => createRelay(ports));
  expect(run.diverged === undefined ? run.turns : run.diverged.story).toEqual(
    run.diverged === undefined ? TURNS : expect.stringMatching(/^At .*: the incident .*; this run /),
  );
  expect(run.happenings().length).toBeGreaterThan(0);
});

/** The facts that events have since version 0.2. */
const LATER = ["at", "source", "type", "messageId", "acceptedAt", "rounds"];

it("does not take for a departure what a later version tells more of an event", async () => {
  const run = await replayChanged((event) => {
    if (!("delivery" in event)) return event;
    return Object.fromEntries(Object.entries(event).filter(([name]) => !LATER.includes(name)));
  });
  expect(run.diverged?.story).toBeUndefined();
  expect(run.happenings().some(({ event }) => "acceptedAt" in (event as object))).toBe(true);
});

it("takes for a departure what it tells otherwise", async () => {
  const run = await replayChanged((event) => (event["kind"] === "delivered" ? { ...event, rounds: 77 } : event));
  expect(run.diverged?.story).toContain("1.rounds: 77 in the incident");
});

/** Replays a trace whose events were changed after it was saved. */
async function replayChanged(change: (event: Readonly<Record<string, unknown>>) => object) {
  const { bytes } = await playIncident({ seed: 21, calls: 20 });
  const lines = gunzipSync(bytes).toString().split("\n");
  const changed = lines.map((line) => {
    return line === ""
      ? line
      : JSON.stringify(JSON.parse(line), (_, value: unknown) => {
          return Array.isArray(value) && value[0] === "event" && value.length === 2
            ? ["event", change(value[1] as Readonly<Record<string, unknown>>)]
            : value;
        });
  });
  return replayTrace(await readTrace(gzipSync(changed.join("\n"))), (ports) => createRelay(ports));
}

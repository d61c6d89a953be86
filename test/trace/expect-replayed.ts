// Expects that a ring has wrapped and is replayed, happening by happening.

import { createRelay } from "@postrider/relay";
import { readTrace, replayTrace, type Trace } from "@postrider/relay/trace";
import { expect } from "vitest";
import { type LiveIncident, MIN_SEGMENTS } from "./live-incident.js";

/** Answers the trace, once it is replayed. */
export async function expectReplayed({ bytes, events, segments }: LiveIncident): Promise<Trace> {
  const trace = await readTrace(bytes);
  const run = await replayTrace(trace, (ports) => createRelay(ports));
  const turns = trace.segments.reduce((sum, segment) => sum + segment.turns.length, 0);
  const replayed = run.happenings();
  console.log(
    `${String(events.length)} happenings, ${String(segments)} segments, ${String(trace.segments.length)} in the ring: ` +
      `${String(turns)} turns, ${String(bytes.length)} bytes, ${String(replayed.length)} happenings replayed`,
  );
  expect(run.diverged?.story).toBeUndefined();
  expect(run.turns).toBe(turns);
  expect(segments).toBeGreaterThanOrEqual(MIN_SEGMENTS);
  expect(segments - trace.segments.length).toBeGreaterThanOrEqual(8);
  const happened = new Set(events.map((event) => JSON.stringify(event)));
  expect(replayed.filter(({ event }) => !happened.has(JSON.stringify(event)))).toEqual([]);
  const kinds = new Set(replayed.map(({ event }) => (event as { readonly kind: string }).kind));
  expect([...kinds]).toEqual(expect.arrayContaining(["accepted", "attempted", "delivered", "rescheduled"]));
  return trace;
}

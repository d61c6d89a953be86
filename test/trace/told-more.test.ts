// A version that tells more of an event than the one that saved a trace has not departed from the incident by that.

import { gunzipSync, gzipSync } from "node:zlib";
import { createRelay } from "@postrider/relay";
import { readTrace, replayTrace } from "@postrider/relay/trace";
import { expect, it } from "vitest";
import { playIncident } from "./rig.js";

/** Facts of events that the trace lacks. */
const MORE = ["at", "source", "type", "messageId", "acceptedAt", "rounds"];

it("an event with more facts than the incident had is no departure", async () => {
  const run = await replayChanged((event) => {
    if (!("delivery" in event)) return event;
    return Object.fromEntries(Object.entries(event).filter(([name]) => !MORE.includes(name)));
  });
  expect(run.diverged?.story).toBeUndefined();
  expect(run.happenings().some(({ event }) => "acceptedAt" in (event as object))).toBe(true);
});

it("an event with another fact is a departure", async () => {
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

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
  expect(run.diverged?.story).toContain("They differ in 1.rounds: 77 in the incident");
});

it("another answer to the host is a departure", async () => {
  const run = await replayChanged(
    (event) => event,
    (answer) => ({ ...answer, more: 1 }),
  );
  expect(run.diverged?.story).toMatch(
    /answered request \d+ of the host; .* They differ in 2[.]more: 1 in the incident,/,
  );
});

type Change = (value: Readonly<Record<string, unknown>>) => object;

/** Replays a trace whose events, and answers to the host, were changed after it was saved. */
async function replayChanged(change: Change, changeAnswer: Change = (answer) => answer) {
  const { bytes } = await playIncident({ seed: 21, calls: 20 });
  const lines = gunzipSync(bytes).toString().split("\n");
  const changed = lines.map((line) => {
    return line === ""
      ? line
      : JSON.stringify(JSON.parse(line), (_, value: unknown) => {
          if (!Array.isArray(value)) return value;
          const [kind, first, second] = value as readonly Readonly<Record<string, unknown>>[];
          if (value[0] === "event" && value.length === 2) return [kind, change(first!)];
          return value[0] === "reply" && value.length === 3 ? [kind, first, changeAnswer(second!)] : value;
        });
  });
  return replayTrace(await readTrace(gzipSync(changed.join("\n"))), (ports) => createRelay(ports));
}

// A real server that has run under load, in small: its ring has wrapped, and each happening that is in the ring is replayed.
// `npm run soak -- trace` does the same for minutes.

import { createRelay } from "@postrider/relay";
import { readTrace, replayTrace } from "@postrider/relay/trace";
import { expect, it } from "vitest";
import { playLiveIncident } from "./live-incident.js";
import { expectReplayed } from "./expect-replayed.js";

const LASTS_MS = 10_000;
const MAX_BYTES = 800_000;

it("replays what a real server has done under load, though its ring has wrapped", async () => {
  const incident = await playLiveIncident(LASTS_MS, { maxBytes: MAX_BYTES });
  const trace = await expectReplayed(incident);
  const other = await replayTrace(trace, (ports) => createRelay(ports), {
    change: (recorded) => ({ ...recorded, delivery: { ...recorded.delivery, firstRetryMs: 230 } }),
  });
  expect(other.diverged?.story).toMatch(/dueAt/);
  expect((await readTrace(incident.bytes)).isCut).toBe(false);
});

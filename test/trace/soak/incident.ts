// `npm run soak -- trace`: a real server under load for ten minutes, or as many as `--minutes` says. Its ring wraps many times,
// and each happening that is in the ring at the end is replayed.

import { createRelay } from "@postrider/relay";
import { replayTrace } from "@postrider/relay/trace";
import { expect, it } from "vitest";
import { expectReplayed } from "../expect-replayed.js";
import { playLiveIncident } from "../live-incident.js";

const MINUTES = Number(process.env["TRACE_MINUTES"] ?? 10);
const MINUTE_MS = 60_000;
/** So that the ring of a short run wraps as well. */
const BYTES_PER_MINUTE = 2_000_000;

it(`replays what a real server has done in ${String(MINUTES)} minutes under load`, async () => {
  const incident = await playLiveIncident(MINUTES * MINUTE_MS, { maxBytes: MINUTES * BYTES_PER_MINUTE });
  const trace = await expectReplayed(incident);
  const other = await replayTrace(trace, (ports) => createRelay(ports), {
    change: (recorded) => ({ ...recorded, delivery: { ...recorded.delivery, firstRetryMs: 230 } }),
  });
  console.log(other.diverged?.story);
  expect(other.diverged?.story).toMatch(/dueAt/);
});

// A life of a relay that is drawn from a seed: calls of all outcomes, receivers that fail in all ways, a user who is deleted,
// crashes. Returns all its events, and what callers and receivers saw of it.

import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type Destination,
  destinationId,
  FAULTS,
  type Receipt,
  sourceId,
  type Workspace,
} from "@postrider/core";
import { createSeededRandom, type ScriptedReply } from "@postrider/memory";
import type { RelayEvent } from "@postrider/relay";
import { createSimulatedHost, type SimulatedHost } from "@postrider/simulator/simulated-host";

const SOURCES = ["site", "app"].map(sourceId);
const LANES = ["crm", "mail", "stats"];
const CALLS = 40;
/** Deliveries that are repeated in the middle of a life. */
const REPLAYED = 5;
const WINDOW_MS = 600_000;
/** The window, and what a lane may wait for a probe after it. */
const END_MS = 1_200_000;
const STATUSES = [200, 200, 200, 200, 200, 404, 410, 429, 503, 599];

/** What is in the calls and must be in no metric. */
export const PRIVATE = { user: "jane.doe@example.org", message: "message-of-jane", path: "hook-of-jane" };

type Dice = () => number;

export interface SimulatedLife {
  readonly events: readonly RelayEvent[];
  readonly host: SimulatedHost;
  /** What callers were told, call by call. */
  readonly receipts: readonly Receipt[];
  /** How receivers had answered by the end, request by request: with a status, or the fault in place of one. */
  readonly replies: readonly { readonly lane: string; readonly result: string }[];
  readonly crashes: number;
}

/** Plays a life of half an hour. The same seed gives the same events. */
export async function playLife(seed: number): Promise<SimulatedLife> {
  const random = createSeededRandom(seed);
  const dice: Dice = () => random.unit();
  const replies: { lane: string; result: string; endsAt: number }[] = [];
  const host = createSimulatedHost({
    workspace: workspaceOf(),
    receivers: ({ url, sentAt }) => {
      const answer = reply(url, dice);
      replies.push({
        lane: new URL(url).hostname.split(".")[0]!,
        result: resultOf(answer),
        endsAt: sentAt + durationOf(answer),
      });
      return answer;
    },
    seed: seed + 1,
  });
  const receipts: Receipt[] = [];
  let crashes = 0;
  for (let call = 0; call < CALLS; call += 1) {
    const [told] = await Promise.all([accept(host, call, dice), host.advance(0)]);
    receipts.push(...told);
    await host.advance(dice() * (dice() < 0.1 ? 120_000 : 5_000));
    if (call === 10) void host.relay().requestDeletion({ userIds: [PRIVATE.user], regulation: "suppress-with-delete" });
    if (call === CALLS / 2) await Promise.all([replayAll(host), host.advance(0)]);
    if (dice() < 0.05) {
      host.crash();
      host.restart();
      crashes += 1;
    }
  }
  await host.advance(END_MS);
  const end = host.clock.wall();
  return { events: host.events(), host, receipts, replies: replies.filter(({ endsAt }) => endsAt <= end), crashes };
}

async function accept(host: SimulatedHost, call: number, dice: Dice): Promise<readonly Receipt[]> {
  const userId = call % 4 === 0 ? PRIVATE.user : `${PRIVATE.user}-${String(call)}`;
  const messageId = `${PRIVATE.message}-${String(dice() < 0.2 ? 0 : call)}`;
  const integrations = dice() < 0.2 ? { All: false } : {};
  const track = { type: "track", event: "Order Completed", userId, messageId, integrations };
  const wrong = { type: "track", userId };
  const source = SOURCES[call % SOURCES.length]!;
  const receipts = await host.relay().accept({ source, calls: dice() < 0.2 ? [track, wrong] : [track] });
  if (receipts.isErr()) throw new Error(`call ${String(call)} was not answered`);
  return receipts.value;
}

/** Repeats what has ended until now. */
async function replayAll(host: SimulatedHost): Promise<void> {
  const relay = host.relay();
  const page = await relay.deliveries({ states: ["dead", "delivered"], limit: REPLAYED });
  if (page.isErr()) throw new Error("the deliveries were not listed");
  await Promise.all(page.value.deliveries.map(({ id }) => relay.replay(id)));
}

/** The receiver of one lane fails most of the time, so that the lane is held. */
function reply(url: string, dice: Dice): ScriptedReply {
  const chance = dice();
  const afterMs = Math.floor(dice() * 4_000);
  if (url.startsWith("https://stats.") && dice() < 0.9) return { kind: "answers", status: 503, afterMs };
  if (chance < 0.05) return { kind: "hangs" };
  if (chance < 0.25) return { kind: "fails", fault: FAULTS[Math.floor(dice() * FAULTS.length)]!, afterMs };
  const status = STATUSES[Math.floor(dice() * STATUSES.length)]!;
  return { kind: "answers", status, afterMs, ...(status === 429 ? { retryAfter: "30" } : {}) };
}

function resultOf(given: ScriptedReply): string {
  if (given.kind === "answers") return String(given.status);
  return given.kind === "hangs" ? "timeout" : given.fault;
}

function durationOf(given: ScriptedReply): number {
  return given.kind === "hangs" ? DEFAULT_DELIVERY.timeoutMs : (given.afterMs ?? 0);
}

function workspaceOf(): Workspace {
  return {
    sources: SOURCES.map((id) => ({ id, name: id, writeKey: createSecret(`wk_${id}`) })),
    destinations: LANES.map(destination),
    delivery: { ...DEFAULT_DELIVERY, retryWindowMs: WINDOW_MS, firstRetryMs: 2_000, maxRetryMs: 120_000 },
    retention: DEFAULT_RETENTION,
  };
}

function destination(id: string): Destination {
  return {
    ...{ id: destinationId(id), name: id, enabled: true, paused: false, acceptsHistorical: true },
    sources: SOURCES.map((source) => ({ source, mode: "cloud" })),
    endpoints: [{ url: `https://${id}.example/${PRIVATE.path}?key=quite-secret`, headers: [] }],
    secrets: [createSecret("shared-secret-of-the-life")],
  };
}

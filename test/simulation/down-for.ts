// A process that is down for a while with pending deliveries, and their outcomes: on a simulated host, whose wall clock
// goes on while no process runs. The receiver is healthy again when the process comes back. No lane has enough failures
// to be held.

import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DeliverySummary,
  type DestinationId,
  type SourceId,
  type Workspace,
} from "@postrider/core";
import type { ScriptedReply, SentRequest } from "@postrider/memory";
import { createSimulatedHost, type SimulatedHost } from "@postrider/simulator/simulated-host";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** Each lane has a source of the same name. */
const LANES = ["crm", "mail", "stock"] as DestinationId[];

const OK: ScriptedReply = { kind: "answers", status: 200, afterMs: 20 };
const DOWN: ScriptedReply = { kind: "answers", status: 503, afterMs: 20 };
const HANGS: ScriptedReply = { kind: "hangs" };

/** The state of deliveries at the crash: whether their lane is paused, how requests are answered, after how long. */
interface Before {
  readonly isPaused?: boolean;
  readonly answer: (index: number) => ScriptedReply;
  readonly ms: number;
}

const PENDING = {
  "never tried": { isPaused: true, answer: () => OK, ms: SECOND_MS },
  "in flight for the first time": { answer: () => HANGS, ms: SECOND_MS },
  "tried once": { answer: () => DOWN, ms: 3 * SECOND_MS },
  "in flight for the second time": { answer: (index) => (index === 0 ? DOWN : HANGS), ms: 8 * SECOND_MS },
  "tried for three hours": { answer: () => DOWN, ms: 3 * HOUR_MS },
} as const satisfies Readonly<Record<string, Before>>;

export type Pending = keyof typeof PENDING;
export const PENDING_KINDS = Object.keys(PENDING) as Pending[];

export interface Fate {
  /** How many got each outcome: `delivered`, or `dead(reason)`. */
  readonly became: Readonly<Record<string, number>>;
  /** Requests for each after the restart: the most. */
  readonly requestsEach: number;
  /** From the restart to the first and to the last request. */
  readonly firstMs: number | undefined;
  readonly lastMs: number | undefined;
  /** Requests within the busiest second. */
  readonly peakPerSecond: number;
  /** Of the dead ones, how many were delivered by a replay. */
  readonly replayed: number;
}

/** The outcomes of `count` deliveries. */
export async function downFor(downMs: number, pending: Pending, count: number): Promise<Fate> {
  const before: Before = PENDING[pending];
  let isBack = false;
  const sentOf = new Map<string, number>();
  const host = createSimulatedHost({
    workspace: workspaceOf(before.isPaused === true),
    receivers: (request) => {
      const index = sentOf.get(messageIdOf(request)) ?? 0;
      sentOf.set(messageIdOf(request), index + 1);
      return isBack ? OK : before.answer(index);
    },
  });
  const calls = Array.from({ length: count }, callOf);
  const accepted = LANES.map((lane, place) =>
    host.relay().accept({ source: sourceOf(lane), calls: calls.filter((_, index) => index % LANES.length === place) }),
  );
  await host.advance(before.ms);
  for (const receipts of accepted) (await receipts)._unsafeUnwrap();
  host.crash();
  await host.advance(downMs);

  isBack = true;
  const restartedAt = host.clock.wall();
  const seen = host.received().length;
  host.restart(workspaceOf(false));
  await host.advance(5 * HOUR_MS);
  const requests = host.received().slice(seen);
  const states = await listAll(host, count);
  return { ...sum(requests, restartedAt), became: countByState(states), replayed: await replayDead(host) };
}

function sum(
  requests: readonly SentRequest[],
  restartedAt: number,
): Pick<Fate, "requestsEach" | "firstMs" | "lastMs" | "peakPerSecond"> {
  const sinceRestart = requests.map(({ sentAt }) => sentAt - restartedAt);
  return {
    requestsEach: Math.max(0, ...counted(requests.map(messageIdOf)).values()),
    firstMs: sinceRestart[0],
    lastMs: sinceRestart.at(-1),
    peakPerSecond: Math.max(0, ...counted(sinceRestart.map((ms) => Math.floor(ms / SECOND_MS))).values()),
  };
}

function countByState(states: readonly DeliverySummary[]): Readonly<Record<string, number>> {
  const words = states.map(({ state, reason }) => (reason === undefined ? state : `${state}(${reason})`));
  return Object.fromEntries(counted(words));
}

async function replayDead(host: SimulatedHost): Promise<number> {
  const seen = host.received().length;
  const replaying = LANES.map((destination) => host.relay().replayMany({ destination }));
  await host.advance(60 * SECOND_MS);
  let replayed = 0;
  for (const one of replaying) replayed += (await one)._unsafeUnwrap().replayed;
  const delivered = new Set(host.received().slice(seen).map(messageIdOf));
  return Math.min(replayed, delivered.size);
}

async function listAll(host: SimulatedHost, limit: number): Promise<readonly DeliverySummary[]> {
  return (await host.relay().deliveries({ limit }))._unsafeUnwrap().deliveries;
}

function counted<T>(all: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

function callOf(_: unknown, index: number): object {
  return { type: "track", userId: "u1", event: "Waited", messageId: `m${index}` };
}

function messageIdOf({ body }: SentRequest): string {
  return (JSON.parse(new TextDecoder().decode(body)) as { messageId: string }).messageId;
}

function workspaceOf(paused: boolean): Workspace {
  const destinations = LANES.map((id) => ({
    ...{ id, name: "Webhooks", enabled: true, paused, acceptsHistorical: true, secrets: [] },
    sources: [{ source: sourceOf(id), mode: "cloud" as const }],
    endpoints: [{ url: `https://${id}.example/hook`, headers: [] }],
  }));
  const sources = LANES.map((id) => ({ id: sourceOf(id), name: id, writeKey: createSecret(`wk_${id}`) }));
  return { sources, destinations, delivery: DEFAULT_DELIVERY, retention: DEFAULT_RETENTION };
}

function sourceOf(lane: DestinationId): SourceId {
  return String(lane) as SourceId;
}

// Runs lanes beside each other through a real relay, on a manual clock: each has its offered rate and a receiver with its
// latency, its share of errors, its limit of requests at once, its poison messages. Returns the results of each.

import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DestinationId,
  type HttpPort,
  type Reply,
  type SourceId,
  type Workspace,
} from "@postrider/core";
import { createSeededRandom, type ManualClock } from "@postrider/memory";
import { createRelay } from "@postrider/relay";
import { WRITE_KEY } from "../canary.js";
import { createMemoryPorts } from "../memory-ports.js";

export interface LaneScript {
  readonly perSecond: number;
  readonly latencyMs: number;
  /** The share of requests that are answered 500, by chance. */
  readonly errors?: number;
  /** How many requests at once are answered; further ones get 503 within a millisecond. */
  readonly bears?: number;
  /** Messages, the first ones in one batch, that are always answered 500. */
  readonly poisons?: number;
  /** Answers nothing but 503 in this stretch. */
  readonly isDown?: { readonly fromMs: number; readonly untilMs: number };
}

export interface Play {
  readonly forMs: number;
  /** Figures are of what is offered from here on. */
  readonly fromMs?: number;
  readonly seed?: number;
}

export interface LaneFigures {
  /** Messages that were offered and are not poison, those tried at least once, those delivered. */
  readonly offered: number;
  readonly tried: number;
  readonly delivered: number;
  /** Requests that the receiver saw. */
  readonly requests: number;
  /** Of these, those answered 503 because more were under way than the receiver can answer. */
  readonly excess: number;
  /** From acceptance to the first request: p50, p99 and longest of those tried. */
  readonly waitMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** How late the last good message was delivered after its acceptance. */
  readonly longestLagMs: number;
}

interface Seen {
  offered: number;
  delivered: number;
  requests: number;
  excess: number;
  atOnce: number;
  longestLagMs: number;
  readonly waits: number[];
  readonly tried: Set<string>;
}

const TICK_MS = 10;
const decoder = new TextDecoder();

export async function playLanes(scripts: readonly LaneScript[], play: Play): Promise<readonly LaneFigures[]> {
  const ports = createMemoryPorts();
  const { clock } = ports;
  const seen = scripts.map(() => newSeen());
  const relay = createRelay({
    ...ports,
    workspace: workspaceOf(scripts.length),
    http: receive(clock, scripts, { seen, play }),
    random: createSeededRandom(play.seed ?? 1),
  });
  relay.start();
  const due = scripts.map((_, index) => index / scripts.length);
  for (let atMs = 0; atMs < play.forMs; atMs += TICK_MS) {
    for (const [index, { perSecond, poisons = 0 }] of scripts.entries()) {
      if (atMs === 0 && poisons > 0) offer(index, poisons, "poison");
      due[index] = (due[index] ?? 0) + (perSecond * TICK_MS) / 1_000;
      const count = Math.floor(due[index]);
      due[index] -= count;
      if (count > 0) offer(index, count, "good");
    }
    await clock.advance(TICK_MS);
  }
  return seen.map(figuresOf);

  function offer(index: number, count: number, kind: "good" | "poison"): void {
    const atMs = clock.monotonic();
    const calls = Array.from({ length: count }, (_, number) => ({
      type: "track",
      userId: "u",
      event: "e",
      messageId: `${kind} ${String(index)} ${String(atMs)} ${String(number)}`,
    }));
    const lane = seen[index];
    if (lane !== undefined && kind === "good" && atMs >= (play.fromMs ?? 0)) lane.offered += count;
    void relay.accept({ source: nameOf(index) as SourceId, calls });
  }
}

function newSeen(): Seen {
  return {
    offered: 0,
    delivered: 0,
    requests: 0,
    excess: 0,
    atOnce: 0,
    longestLagMs: 0,
    waits: [],
    tried: new Set(),
  };
}

interface Stage {
  readonly seen: readonly Seen[];
  readonly play: Play;
}

function receive(clock: ManualClock, scripts: readonly LaneScript[], { seen, play }: Stage): HttpPort {
  const random = createSeededRandom((play.seed ?? 1) + 1);
  return {
    send: (request) => {
      const [, id = ""] = /"messageId":"([^"]+)"/.exec(decoder.decode(request.body)) ?? [];
      const [kind, index = 0, acceptedMs = 0] = id.split(" ").map((part, place) => (place === 0 ? part : Number(part)));
      const [script, lane] = [scripts[Number(index)], seen[Number(index)]];
      if (script === undefined || lane === undefined) throw new Error(`no lane for ${id}`);
      const nowMs = clock.monotonic();
      const counts = kind === "good" && Number(acceptedMs) >= (play.fromMs ?? 0);
      if (nowMs >= (play.fromMs ?? 0)) lane.requests += 1;
      if (counts && !lane.tried.has(id)) {
        lane.tried.add(id);
        lane.waits.push(nowMs - Number(acceptedMs));
      }
      const isExcess = lane.atOnce >= (script.bears ?? Infinity);
      if (!isExcess) lane.atOnce += 1;
      else if (nowMs >= (play.fromMs ?? 0)) lane.excess += 1;
      const isDown = script.isDown !== undefined && nowMs >= script.isDown.fromMs && nowMs < script.isDown.untilMs;
      const fails = isExcess || isDown || kind === "poison" || random.unit() < (script.errors ?? 0);
      return new Promise((resolve) => {
        clock.after(isExcess || isDown ? 1 : script.latencyMs, () => {
          if (!isExcess) lane.atOnce -= 1;
          if (counts && !fails) {
            lane.delivered += 1;
            lane.longestLagMs = Math.max(lane.longestLagMs, clock.monotonic() - Number(acceptedMs));
          }
          resolve(answer(fails ? 503 : 200, script.latencyMs));
        });
      });
    },
  };
}

function answer(status: number, afterMs: number): Reply {
  return { kind: "answered", status, afterMs, excerpt: new Uint8Array() };
}

function figuresOf({ offered, delivered, requests, excess, longestLagMs, waits, tried }: Seen): LaneFigures {
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  const waitMs = { p50: at(0.5), p99: at(0.99), max: at(1) };
  return { offered, tried: tried.size, delivered, requests, excess, waitMs, longestLagMs };
}

function nameOf(index: number): string {
  return `lane-${String(index)}`;
}

function workspaceOf(lanes: number): Workspace {
  const names = Array.from({ length: lanes }, (_, index) => nameOf(index));
  return {
    sources: names.map((name) => ({ id: name as SourceId, name, writeKey: createSecret(`${WRITE_KEY}${name}`) })),
    destinations: names.map((name) => ({
      id: name as DestinationId,
      name: "Webhooks",
      enabled: true,
      paused: false,
      acceptsHistorical: true,
      sources: [{ source: name as SourceId, mode: "cloud" }],
      endpoints: [{ url: `https://${name}.example/hook`, headers: [] }],
      secrets: [],
    })),
    delivery: DEFAULT_DELIVERY,
    retention: DEFAULT_RETENTION,
  };
}

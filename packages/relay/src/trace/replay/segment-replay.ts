// Replays one segment on a separate relay, whose ports answer from the record: hands on one input in each turn of the
// event loop, as it was recorded, and compares each question, until the segment ends or the run departs from it. After
// that no question is answered and no timer fires.

import {
  type RecordablePorts,
  type RecordedSegment,
  type RelayRecorder,
  type SegmentOwner,
  type Workspace,
  type Cancel,
  type DeliveryStore,
  epochMs,
  monoMs,
} from "@postrider/core";
import { createDecoder } from "../format/encoding.js";
import { afterPromises, type Cause, REQUESTS_WITH_CALLS, type Turn, type Step } from "../turn.js";
import type { TraceSegment } from "../trace.js";
import { type Comparison, createComparison, type Difference } from "./departure.js";
import { type AskPort, audienceStoreOf, httpOf, type PortParts, storeOf } from "../port-methods.js";

/** Ports that answer as in the incident, and the settings of the relay: all that `createRelay` needs. */
export interface ReplayPorts extends RecordablePorts {
  readonly recorder: RelayRecorder;
  /** The settings of the incident, with stand-ins for secrets and header values. */
  readonly workspace: Workspace;
}

/** A relay, of which a replay calls the methods that the host of the incident called. */
export type ReplayedRelay = object;

/** The end of a segment, and the number of its turns until then. */
export type SegmentEnd = { readonly turns: number } & (
  | { readonly kind: "replayed" }
  /** The host called something that is not in the trace, such as a sync of an audience. */
  | { readonly kind: "unknown-call"; readonly method: string }
  | ({ readonly kind: "departed" } & Difference)
);

interface SegmentReplay {
  readonly segment: TraceSegment;
  readonly hasBodies: boolean;
  readonly create: (ports: ReplayPorts) => ReplayedRelay;
  /** Adapts each workspace of the incident to the replay. */
  readonly change: (recorded: Workspace) => Workspace;
  readonly onEvent: (event: unknown, turn: Turn) => void;
}

/** Replays a segment to its end, or to the first difference. */
export async function replaySegment(replay: SegmentReplay): Promise<SegmentEnd> {
  const { segment, hasBodies } = replay;
  const comparison = createComparison({ hasBodies });
  const replayed = createReplayedPorts(segment.parts, comparison);
  const stage = createStage(replay, replayed, comparison);
  for (const [turns, turn] of segment.turns.entries()) {
    comparison.begin(turn);
    const method = stage.handOn(turn.cause);
    await afterPromises();
    comparison.close();
    const difference = comparison.difference();
    if (method !== undefined) return { kind: "unknown-call", turns, method };
    if (difference !== undefined) return { kind: "departed", turns, ...difference };
  }
  return { kind: "replayed", turns: segment.turns.length };
}

interface Stage {
  /** Hands an input to the relay. Answers the method of a call that cannot be made. */
  handOn(cause: Cause): string | undefined;
}

function createStage(
  { segment, create, change, onEvent }: SegmentReplay,
  { ports, handOnToPort }: ReplayedPorts,
  comparison: Comparison,
): Stage {
  const decode = createDecoder();
  let relay: ReplayedRelay | undefined;
  let owner: SegmentOwner | undefined;
  const replayedSegment: RecordedSegment = {
    ports,
    state: decode(segment.state) as object | undefined,
    ...replayedHost(comparison),
    observe: (event): void => {
      const turn = comparison.turn();
      if (comparison.matchStep(["event", event]) !== undefined && turn !== undefined) onEvent(event, turn);
    },
  };

  function createRelay(): void {
    const settings = decode(segment.settings) as { readonly workspace: Workspace };
    const recorder: RelayRecorder = {
      begin: (_start, segmentOwner) => {
        owner = segmentOwner;
        return replayedSegment;
      },
    };
    relay = create({ ...settings, ...ports, recorder, workspace: change(settings.workspace) });
  }

  function call(method: string, args: readonly unknown[]): string | undefined {
    if (method === "syncAudience" || (REQUESTS_WITH_CALLS.has(method) && args.length === 0)) return method;
    const playedArgs = method === "configure" ? [change(args[0] as Workspace), ...args.slice(1)] : args;
    if (method === "retire") void owner?.retire();
    else (relay as Methods | undefined)?.[method]?.apply(relay, [...playedArgs]);
    return undefined;
  }

  return {
    handOn: (cause) => {
      if (cause[0] === "call") return call(cause[2], decode(cause[3]) as readonly unknown[]);
      if (cause[0] === "created") createRelay();
      else handOnToPort(cause, decode);
      return undefined;
    },
  };
}

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** The host's side: a call runs in the turn of its input, and its answer is a step. */
function replayedHost(comparison: Comparison): Pick<RecordedSegment, "ask" | "tell" | "look"> {
  return {
    ask: (_method, _args, run) => {
      const cause = comparison.turn()?.cause;
      const id = cause?.[0] === "call" ? cause[1] : 0;
      return new Promise((resolve, reject) => {
        run().then((answer) => {
          comparison.matchStep(["reply", id, answer]);
          resolve(answer);
        }, reject);
      });
    },
    tell: (_method, _args, run) => run(),
    look: (run) => run(),
  };
}

interface ReplayedPorts {
  readonly ports: RecordablePorts;
  /** Hands on an event of a port: an answer, a rejection, a timer, the end of the store. `decode` reads its value. */
  readonly handOnToPort: (cause: Cause, decode: (value: unknown) => unknown) => void;
}

interface OpenQuestion {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

function createReplayedPorts(parts: PortParts, comparison: Comparison): ReplayedPorts {
  const pending = new Map<number, OpenQuestion>();
  const timers = new Map<number, () => void>();
  let endListener: ((why: string) => void) | undefined;

  const ask: AskPort = (question, args) => {
    const step = comparison.matchStep(["ask", idOf(comparison.expected()), question, args]);
    return new Promise((resolve, reject) => {
      if (step?.[0] === "ask") pending.set(step[1], { resolve, reject });
    });
  };

  function after(delayMs: number, wake: () => void): Cancel {
    const step = comparison.matchStep(["timer", idOf(comparison.expected()), delayMs]);
    const id = idOf(step);
    if (step !== undefined) timers.set(id, wake);
    return () => void timers.delete(id);
  }

  const onEnd = (listener: (why: string) => void): void => {
    endListener = listener;
  };

  return {
    ports: {
      store: storeOf(ask, namedParts(parts), parts.end ? onEnd : undefined),
      ...(parts.audiences ? { audiences: audienceStoreOf(ask, {}) } : {}),
      http: httpOf(ask, {}),
      clock: {
        wall: () => comparison.turn()?.wall ?? epochMs(0),
        monotonic: () => comparison.turn()?.monotonic ?? monoMs(0),
        after,
      },
      random: { unit: () => drawUnit(comparison), bytes: (count) => drawBytes(comparison, count) },
    },
    handOnToPort: (cause, decode): void => {
      if (cause[0] === "answer") pending.get(cause[1])?.resolve(decode(cause[2]));
      else if (cause[0] === "fault") pending.get(cause[1])?.reject(decode(cause[2]));
      else if (cause[0] === "timer") timers.get(cause[1])?.();
      else if (cause[0] === "ended") endListener?.(cause[1]);
    },
  };
}

/** A store with these parts, of which only the names of its methods are used. */
function namedParts({ deletions, records, clock, board, outbox }: PortParts): Partial<DeliveryStore> {
  return {
    ...(deletions && { deletions: {} as never }),
    ...(records === true && { records: {} as never }),
    ...(clock === true && { clock: {} as never }),
    ...(board === true && { board: {} as never }),
    ...(outbox === true && { outbox: {} as never }),
  };
}

function drawUnit(comparison: Comparison): number {
  const expected = comparison.expected();
  const step = comparison.matchStep(expected?.[0] === "unit" ? expected : ["unit", 0]);
  return step?.[0] === "unit" ? step[1] : 0;
}

function drawBytes(comparison: Comparison, count: number): Uint8Array {
  const expected = comparison.expected();
  const isSame = expected?.[0] === "bytes" && expected[1].length === 2 * count;
  const step = comparison.matchStep(isSame ? expected : ["bytes", "00".repeat(count)]);
  return step?.[0] === "bytes" ? new Uint8Array(Buffer.from(step[1], "hex")) : new Uint8Array(count);
}

function idOf(step: Step | undefined): number {
  return typeof step?.[1] === "number" ? step[1] : 0;
}

// Replays one segment on a separate relay: hands on one input a turn of the event loop, as it was recorded, until the segment
// ends or the run departs from it. Does not know what a relay does with an input.

import type { RecordablePorts, RecordedSegment, RelayRecorder, SegmentOwner, Workspace } from "@postrider/core";
import { createDecoder } from "../format/decode.js";
import { afterPromises } from "../later-turn.js";
import type { TraceSegment } from "../trace.js";
import { type Cause, REQUESTS_WITH_CALLS, type Turn } from "../turn.js";
import { type Comparison, createComparison, type Difference } from "./comparison.js";
import { createReplayedPorts, type ReplayedPorts } from "./replayed-ports.js";

/** Ports that answer as in the incident, and the settings of the relay: all that `createRelay` needs. */
export interface ReplayPorts extends RecordablePorts {
  readonly recorder: RelayRecorder;
  /** The settings of the incident, with stand-ins for secrets and header values. */
  readonly workspace: Workspace;
}

/** A relay, of which a replay calls the methods that the host of the incident called. */
export type ReplayedRelay = object;

/** How a segment ended, after how many turns. */
export type SegmentEnd = { readonly turns: number } & (
  | { readonly kind: "replayed" }
  /** The host called something that is not in the trace, such as a sync of an audience. */
  | { readonly kind: "unknown-call"; readonly method: string }
  | ({ readonly kind: "departed" } & Difference)
);

export interface SegmentReplay {
  readonly segment: TraceSegment;
  readonly hasBodies: boolean;
  readonly create: (ports: ReplayPorts) => ReplayedRelay;
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
  { ports, handOn }: ReplayedPorts,
  comparison: Comparison,
): Stage {
  const decode = createDecoder();
  let relay: ReplayedRelay | undefined;
  let owner: SegmentOwner | undefined;
  const recorded: RecordedSegment = {
    ports,
    state: decode(segment.state) as object | undefined,
    ...replayedHost(comparison),
    observe: (event): void => {
      const turn = comparison.turn();
      if (comparison.did(["event", event]) !== undefined && turn !== undefined) onEvent(event, turn);
    },
  };

  function begin(): void {
    const settings = decode(segment.settings) as { readonly workspace: Workspace };
    const recorder: RelayRecorder = {
      begin: (_start, given) => {
        owner = given;
        return recorded;
      },
    };
    relay = create({ ...settings, ...ports, recorder, workspace: change(settings.workspace) });
  }

  function call(method: string, args: readonly unknown[]): string | undefined {
    if (method === "syncAudience" || (REQUESTS_WITH_CALLS.has(method) && args.length === 0)) return method;
    const given = method === "configure" ? [change(args[0] as Workspace), ...args.slice(1)] : args;
    if (method === "retire") void owner?.retire();
    else (relay as Methods | undefined)?.[method]?.apply(relay, [...given]);
    return undefined;
  }

  return {
    handOn: (cause) => {
      if (cause[0] === "call") return call(cause[2], decode(cause[3]) as readonly unknown[]);
      if (cause[0] === "created") begin();
      else handOn(cause, decode);
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
          comparison.did(["reply", id, answer]);
          resolve(answer);
        }, reject);
      });
    },
    tell: (_method, _args, run) => run(),
    look: (run) => run(),
  };
}

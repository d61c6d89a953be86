// Records one relay: its ports, and what its host asks of it. Keeps references; nothing is copied but the calls of the host,
// which may change its objects later.

import type { RecordablePorts, RecordedSegment, SegmentOwner, SegmentStart } from "@postrider/core";
import { inLaterTurn } from "../later-turn.js";
import type { PortParts } from "../port-methods.js";
import { REQUESTS_WITH_CALLS } from "../turn.js";
import { createRecordedPorts } from "./recorded-ports.js";
import { createTurnLog, type TurnLog } from "./turn-log.js";
import { weightOf } from "./weigh.js";

/** A segment as it lies in the ring. */
export interface LiveSegment extends Pick<TurnLog, "turns" | "weight" | "drop"> {
  readonly start: SegmentStart;
  readonly parts: PortParts;
  readonly owner: SegmentOwner;
  readonly recorded: RecordedSegment;
}

/** Begins to record a relay on these ports. `onTurn` is called at each turn with all that was ever recorded. */
export function createSegment(
  real: RecordablePorts,
  begun: { readonly start: SegmentStart; readonly owner: SegmentOwner },
  onTurn: (weight: number) => void,
): LiveSegment {
  const log = createTurnLog(real.clock, onTurn);
  const { store, audiences } = real;
  log.turn(["created"]);
  return {
    ...begun,
    parts: {
      deletions: store.deletions !== undefined,
      pauses: store.pauses !== undefined,
      replayJobs: store.replayJobs !== undefined,
      clock: store.clock !== undefined,
      board: store.board !== undefined,
      outbox: store.outbox !== undefined,
      audiences: audiences !== undefined,
      end: "onEnd" in store,
    },
    turns: log.turns,
    recorded: {
      ports: createRecordedPorts(real, log),
      state: begun.start.state,
      ...recordedHost(log),
      look: log.look,
      observe: (event): void => log.step(["event", event]),
    },
    weight: log.weight,
    drop: log.drop,
  };
}

function recordedHost(log: TurnLog): Pick<RecordedSegment, "ask" | "tell"> {
  return {
    ask: (method, args, run) => {
      const id = log.next();
      const kept = keepable(method, args);
      return new Promise((resolve, reject) => {
        const begin = (): void => {
          run().then(
            (answer) => {
              log.step(["reply", id, answer], weightOf(answer));
              inLaterTurn(() => resolve(answer));
            },
            // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
            (reason: unknown) => inLaterTurn(() => reject(reason)),
          );
        };
        log.later(["call", id, method, kept.args], begin, kept.bytes);
      });
    },
    tell: (method, args, run) => {
      log.turn(["call", log.next(), method, args]);
      return run();
    },
  };
}

/** Calls, as text. What is no JSON is left out. */
function keepable(
  method: string,
  args: readonly unknown[],
): { readonly args: readonly unknown[]; readonly bytes: number } {
  if (!REQUESTS_WITH_CALLS.has(method)) return { args, bytes: 0 };
  try {
    const text = JSON.stringify(args[0]);
    return { args: [text], bytes: 2 * text.length };
  } catch {
    return { args: [], bytes: 0 };
  }
}

// Which lanes an operator has paused, as the store said last (decision: pauses of an operator). Until the store has said it once,
// no lane may send, since any of them may be paused.

import type { DestinationId } from "@postrider/core";

export interface OperatorPauses {
  /** Whether an operator has paused this lane, as far as is known. */
  has(lane: DestinationId): boolean;
  /** Whether this lane must not send: an operator has paused it, or the store has not said yet which are paused. */
  stops(lane: DestinationId): boolean;
  add(lane: DestinationId): void;
  remove(lane: DestinationId): void;
  /**
   * To be called when the store is asked for all paused lanes. The returned function takes the answer, and returns whether
   * anything changes. It does not if a lane was added or removed meanwhile, which the answer may lack.
   */
  ask(): (lanes: readonly DestinationId[]) => boolean;
  /** The paused lanes, for the relay that takes over; undefined while they are unknown. */
  remember(): readonly DestinationId[] | undefined;
}

/** `known` is what the former relay knew; undefined: the store has to say it. */
export function createOperatorPauses(known: readonly DestinationId[] | undefined): OperatorPauses {
  let paused: ReadonlySet<DestinationId> = new Set(known);
  let isKnown = known !== undefined;
  /** How often a lane was added or removed. */
  let changes = 0;

  function change(lanes: Iterable<DestinationId>): void {
    changes += 1;
    paused = new Set(lanes);
  }

  return {
    has: (lane) => paused.has(lane),
    stops: (lane) => !isKnown || paused.has(lane),
    add: (lane): void => change([...paused, lane]),
    remove: (lane): void => change([...paused].filter((one) => one !== lane)),
    ask: () => {
      const asked = changes;
      return (lanes) => {
        const isSame = isKnown && lanes.length === paused.size && lanes.every((lane) => paused.has(lane));
        if (isSame || asked !== changes) return false;
        paused = new Set(lanes);
        isKnown = true;
        return true;
      };
    },
    remember: () => (isKnown ? [...paused] : undefined),
  };
}

// A slot: the right of a lane to have one more delivery under way, from its reservation to its end. It ends once. Decides
// which step may follow which. Does not know what is counted at each step (decision: slots).

export interface Slot {
  /** Its round counts as started from now on. */
  start(): void;
  /** Its round is not started after all; the slot is still reserved. */
  undoStart(): void;
  /** Ends it. The rate-limit token that it took stays spent. */
  release(): void;
  /** Ends it and gives its token back. Not after `start`. */
  refund(): void;
}

export interface SlotCounts {
  /** Counts one more or one fewer started round of the lane. */
  countStarted(step: 1 | -1): void;
  /** The slot is free again. */
  end(token: "spent" | "refunded"): void;
}

type State = "reserved" | "started" | "ended";

/** The state after each step. A step that is absent is a bug in the caller. */
const NEXT: Readonly<Record<State, { readonly [Step in keyof Slot]?: State }>> = {
  reserved: { start: "started", release: "ended", refund: "ended" },
  started: { undoStart: "reserved", release: "ended" },
  ended: {},
};

/** Creates a reserved slot. A step that is not allowed throws, and counts nothing. */
export function createSlot(counts: SlotCounts): Slot {
  let state: State = "reserved";

  /** Returns the state before the step. */
  function take(step: keyof Slot): State {
    const before = state;
    const next = NEXT[before][step];
    if (next === undefined) throw new Error(`bug: ${step} of a slot that is ${before}`);
    state = next;
    return before;
  }

  return {
    start: (): void => {
      take("start");
      counts.countStarted(1);
    },
    undoStart: (): void => {
      take("undoStart");
      counts.countStarted(-1);
    },
    release: (): void => {
      if (take("release") === "started") counts.countStarted(-1);
      counts.end("spent");
    },
    refund: (): void => {
      take("refund");
      counts.end("refunded");
    },
  };
}

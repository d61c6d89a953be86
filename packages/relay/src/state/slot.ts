// A slot: the place of one delivery in its lane and among all lanes, from its reservation to its only end. Decides which step
// may follow which. What is counted at each step is not known here (decision: slots).

export interface Slot {
  /** Its round counts as started from now on. */
  start(): void;
  /** Its round is not started after all; the slot is reserved still. */
  undoStart(): void;
  /** Ends it. The token that it took stays spent. */
  release(): void;
  /** Ends it and gives its token back. Not after `start`. */
  refund(): void;
}

export interface SlotCounts {
  /** One more round of the lane is started, or one less. */
  countStarted(step: 1 | -1): void;
  /** The place is free again. */
  end(token: "spent" | "refunded"): void;
}

type State = "reserved" | "started" | "ended";

/** Where each step leads. A step that is absent is a bug of the caller. */
const NEXT: Readonly<Record<State, { readonly [Step in keyof Slot]?: State }>> = {
  reserved: { start: "started", release: "ended", refund: "ended" },
  started: { undoStart: "reserved", release: "ended" },
  ended: {},
};

/** A slot that has been reserved. Its steps throw where they are not allowed, and then count nothing. */
export function createSlot(counts: SlotCounts): Slot {
  let state: State = "reserved";

  /** Answers the state before. */
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

// Takes as many calls of an arrival as may be processed before other work runs. The cost of a call is its bytes, its
// deliveries and the fields that its batch shares (decision: request cost).

import { SLICE_BYTES, SLICE_CALLS, SLICE_UNITS } from "../limits.js";
import type { PrepareContext } from "./context.js";
import type { Draft } from "./reserve.js";
import { prepareCall, type PreparedCall } from "./prepare-call.js";
import type { ArrivalData } from "./read-arrival.js";

export type Slice =
  | { readonly kind: "calls"; readonly taken: readonly PreparedCall[] }
  /** A single call with more deliveries than may be started at once. */
  | { readonly kind: "large"; readonly draft: Draft };

export interface Slicer {
  /** Takes the next calls: at least one, until all are taken. */
  next(): Slice;
  isDone(): boolean;
}

/** Goes through the calls of an arrival once. */
export function createSlicer(context: PrepareContext, intake: ArrivalData): Slicer {
  const { calls } = intake.arrival;
  let at = 0;
  /** A call that was prepared already, but did not fit in the previous slice. */
  let kept: PreparedCall | undefined;

  function prepareNext(): PreparedCall {
    const one = kept ?? prepareCall(context, calls[at], intake);
    kept = undefined;
    return one;
  }

  function takeCalls(): Slice {
    const taken: PreparedCall[] = [];
    const load = { bytes: 0, units: 0 };
    while (at < calls.length && taken.length < SLICE_CALLS && load.bytes < SLICE_BYTES) {
      const one = prepareNext();
      const units = unitsOf(one);
      if (load.units + units > SLICE_UNITS && taken.length > 0) {
        kept = one;
        break;
      }
      at += 1;
      if (one.kind === "ok" && units > SLICE_UNITS) return { kind: "large", draft: one.draft };
      taken.push(one);
      load.bytes += one.seen;
      load.units += units;
    }
    return { kind: "calls", taken };
  }

  return { next: takeCalls, isDone: () => at >= calls.length };
}

/** The number of destinations that a call goes to or is filtered for. */
function unitsOf(one: PreparedCall): number {
  return one.kind === "ok" ? one.draft.destinations.length + one.draft.message.filtered.length : 0;
}

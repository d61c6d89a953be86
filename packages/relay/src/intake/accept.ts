// Accepts an arrival: every call is prepared, all calls that may pass are stored, and only then is the caller answered. Most
// arrivals are one slice and one commit; larger ones are stored slice by slice, with other work in between, so that only one
// slice is in memory, whatever the size of the arrival (decision: request cost).

import type { Receipt } from "@postrider/core";
import { defined, type Steps } from "@postrider/core/engine";
import { ok, ResultAsync, err, type Result } from "neverthrow";
import type { RelayFault, StoreFault } from "../fault.js";
import type { Arrival } from "../relay.js";
import {
  type StoreContext,
  answerFault,
  type ArrivalAnswer,
  storeCalls,
  type SliceContext,
  writeReceipts,
} from "./receipts.js";
import {
  type PrepareContext,
  type PreparedCall,
  prepareCall,
  type ArrivalData,
  readArrivalInSteps,
} from "./prepare-call.js";
import type { FairQueue, QueuedTurn } from "./turns.js";
import { SLICE_BYTES, SLICE_CALLS, SLICE_UNITS } from "../limits.js";
import type { Draft } from "./reserve.js";

/** Needed to accept any arrival. */
interface IntakeContext extends SlicesContext, PrepareContext {}

/** Needed to accept an arrival of several slices, in its turn. */
interface SlicesContext extends StoreContext {
  readonly turns: FairQueue;
  /**
   * Resolves when the next slice of an arrival may be processed: in a later loop turn, since each loop turn processes a
   * limited number of slices.
   */
  readonly nextSlice: () => Promise<void>;
}

/**
 * Returns a receipt for each call, in the order of the calls. With `asOf`, calls are shed if a request about users was opened after
 * the one with this number.
 */
export function accept(
  context: IntakeContext,
  arrival: Arrival,
  asOf?: number,
): ResultAsync<readonly Receipt[], RelayFault> {
  const reading = readArrivalInSteps(arrival, { now: context.clock.wall(), ...defined({ asOf }) });
  const firstStep = reading.next();
  return new ResultAsync(
    firstStep.done === true ? acceptRead(context, firstStep.value) : acceptLater(context, reading),
  );
}

/** Reads the rest of the fields that the calls share, one step in each slice. */
async function acceptLater(context: IntakeContext, reading: Steps<ArrivalData>): Promise<ArrivalAnswer> {
  for (;;) {
    await context.nextSlice();
    const step = reading.next();
    if (step.done === true) return acceptRead(context, step.value);
  }
}

function acceptRead(context: IntakeContext, intake: ArrivalData): Promise<ArrivalAnswer> {
  const { arrival } = intake;
  const slicer = createSlicer(context, intake);
  const first = slicer.next();
  const isSliced = first.kind === "large" || !slicer.isDone();
  return isSliced
    ? acceptInSlices(context, { arrival, slicer, first })
    : acceptSlice(context, arrival, first.preparedCalls);
}

async function acceptSlice(
  context: StoreContext,
  arrival: Arrival,
  preparedCalls: readonly PreparedCall[],
): Promise<ArrivalAnswer> {
  const receipts = await storeCalls(context, arrival, preparedCalls);
  return receipts.isErr()
    ? answerFault(context, { arrival, receipts: [], preparedCalls }, receipts.error)
    : ok(receipts.value);
}

interface SlicedWork {
  readonly arrival: Arrival;
  readonly slicer: Slicer;
  /** The first slice of the arrival. */
  readonly first: Slice;
}

/**
 * Returns a receipt for each call, in the order of the calls. If a slice cannot be stored, the slices before it stay
 * stored: when the caller sends the whole arrival again, the calls of those slices that have a messageId are
 * duplicates.
 */
async function acceptInSlices(context: SlicesContext, work: SlicedWork): Promise<ArrivalAnswer> {
  const turn = context.turns.queue(work.arrival.source);
  if (turn === undefined) {
    // Too many other arrivals wait, or there was a stop: nothing of this arrival is stored.
    if (context.turns.isClosed()) return err({ code: "stopped" });
    return answerFault(context, { arrival: work.arrival, receipts: [], preparedCalls: [] }, { code: "busy" });
  }
  try {
    return await storeSlices(context, work, turn);
  } finally {
    turn.end();
  }
}

/**
 * The first slice is already in memory, so it is stored at once, unless it is a single call with many deliveries. The
 * other slices are prepared only after the turn has begun.
 */
async function storeSlices(context: SlicesContext, work: SlicedWork, turn: QueuedTurn): Promise<ArrivalAnswer> {
  const { arrival, slicer } = work;
  const receipts: Receipt[] = [];
  for (let slice = work.first; ; slice = slicer.next()) {
    if (slice.kind === "large") await turn.begins;
    const result = await storeSlice(context, arrival, slice);
    if (result.isErr())
      return answerFault(context, { arrival, receipts, preparedCalls: preparedIn(slice) }, result.error);
    receipts.push(...result.value);
    if (slicer.isDone()) return ok(receipts);
    await context.nextSlice();
    await turn.begins;
    if (context.turns.isClosed()) return err({ code: "stopped" });
  }
}

async function storeSlice(
  context: SliceContext,
  arrival: Arrival,
  slice: Slice,
): Promise<Result<readonly Receipt[], StoreFault>> {
  if (slice.kind === "calls") return storeCalls(context, arrival, slice.preparedCalls);
  const { draft } = slice;
  const result = await context.queue.enqueueLarge(draft);
  if (result.isErr()) return err(result.error);
  const accepted = result.value === undefined ? [] : [result.value];
  return ok(writeReceipts([{ kind: "ok", draft, cost: 0 }], accepted, arrival));
}

function preparedIn(slice: Slice): readonly PreparedCall[] {
  return slice.kind === "calls" ? slice.preparedCalls : [];
}

type Slice =
  | { readonly kind: "calls"; readonly preparedCalls: readonly PreparedCall[] }
  /** A single call with more deliveries than may be started at once. */
  | { readonly kind: "large"; readonly draft: Draft };

interface Slicer {
  /** Takes the next calls: at least one, until all are taken. */
  next(): Slice;
  isDone(): boolean;
}

/** Goes through the calls of an arrival once. */
function createSlicer(context: PrepareContext, intake: ArrivalData): Slicer {
  const { calls } = intake.arrival;
  let nextIndex = 0;
  /** A call that was prepared already, but did not fit in the previous slice. */
  let deferred: PreparedCall | undefined;

  function prepareNext(): PreparedCall {
    const call = deferred ?? prepareCall(context, calls[nextIndex], intake);
    deferred = undefined;
    return call;
  }

  function takeCalls(): Slice {
    const preparedCalls: PreparedCall[] = [];
    const load = { bytes: 0, units: 0 };
    while (nextIndex < calls.length && preparedCalls.length < SLICE_CALLS && load.bytes < SLICE_BYTES) {
      const call = prepareNext();
      const units = unitsOf(call);
      if (load.units + units > SLICE_UNITS && preparedCalls.length > 0) {
        deferred = call;
        break;
      }
      nextIndex += 1;
      if (call.kind === "ok" && units > SLICE_UNITS) return { kind: "large", draft: call.draft };
      preparedCalls.push(call);
      load.bytes += call.cost;
      load.units += units;
    }
    return { kind: "calls", preparedCalls };
  }

  return { next: takeCalls, isDone: () => nextIndex >= calls.length };
}

/** The number of destinations that a call goes to or is filtered for. */
function unitsOf(call: PreparedCall): number {
  return call.kind === "ok" ? call.draft.destinations.length + call.draft.message.filtered.length : 0;
}

// Takes an arrival in: every call is looked at, all that may pass is stored in one commit, and only then does anyone
// hear of it. What is stored as claimed is handed on at once. When nothing can be stored, the calls that would have passed
// are shed; those refused stay refused.

import type { Accepted, EpochMs, Receipt } from "@postrider/core";
import { err, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import type { RelayContext } from "../context.js";
import { SHED_RETRY_MS } from "../limits.js";
import type { RelayFault } from "../fault.js";
import type { Arrival } from "../relay.js";
import type { StoreFault } from "../storage/storage.js";
import { reserve } from "./reserve.js";
import { storeMessages } from "./store-messages.js";
import { takeIn, type TakenIn } from "./take-in.js";

/** A receipt for each call, in their order. */
export function accept(context: RelayContext, arrival: Arrival): ResultAsync<readonly Receipt[], RelayFault> {
  const now = context.clock.wall();
  const taken = arrival.calls.map((call) => {
    const one = takeIn(context, call, arrival, now);
    if (one.kind === "message") reserve(context.lanes, one.message);
    return one;
  });
  tellRefused(context, arrival, taken);
  const isRefused = taken.every((one) => one.kind === "refused");
  return isRefused ? okAsync(writeReceipts(taken, [])) : new ResultAsync(store(context, arrival, taken));
}

async function store(
  context: RelayContext,
  arrival: Arrival,
  taken: readonly TakenIn[],
): Promise<Result<readonly Receipt[], RelayFault>> {
  const messages = taken.flatMap((one) => (one.kind === "message" ? [one.message] : []));
  const stored = await storeMessages(context, messages);
  if (stored.isOk()) return ok(writeReceipts(taken, stored.value));
  return shed(context, { arrival, taken, calls: messages.length }, stored.error);
}

function tellRefused({ tally, tell }: RelayContext, { source }: Arrival, taken: readonly TakenIn[]): void {
  for (const one of taken) {
    if (one.kind !== "refused") continue;
    tally.add(source, "refused", 1);
    tell({ kind: "refused", source, refusal: one.refusal });
  }
}

function writeReceipts(taken: readonly TakenIn[], accepted: readonly Accepted[]): readonly Receipt[] {
  const outcomes = accepted[Symbol.iterator]();
  return taken.map((one): Receipt => {
    if (one.kind === "refused") return one;
    const { messageId, filtered } = one.message;
    const outcome: Accepted | undefined = outcomes.next().value;
    return outcome?.kind === "stored"
      ? { kind: "accepted", messageId, deliveries: outcome.deliveries, filtered }
      : { kind: outcome?.kind === "suppressed" ? "suppressed" : "duplicate", messageId };
  });
}

interface Shed {
  readonly arrival: Arrival;
  readonly taken: readonly TakenIn[];
  /** How many would have passed. */
  readonly calls: number;
}

function shed(
  { clock, tally, tell }: RelayContext,
  { arrival, taken, calls }: Shed,
  fault: StoreFault,
): Result<readonly Receipt[], RelayFault> {
  if (fault.code === "unavailable" || fault.code === "corrupt") return err({ code: fault.code });
  const retryAt = (clock.wall() + SHED_RETRY_MS) as EpochMs;
  tally.add(arrival.source, "shed", calls);
  tell({ kind: "shed", source: arrival.source, calls });
  return ok(taken.map((one): Receipt => (one.kind === "refused" ? one : { kind: "shed", retryAt })));
}

// Takes an arrival in: every call is looked at, all that may pass is stored in one commit, and only then does anyone
// hear of it. What is stored as claimed is handed on at once. When nothing can be stored, the calls that would have passed
// are shed; those refused stay refused.

import type { Accepted, EpochMs, NewMessage, Receipt } from "@postrider/core";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import type { RelayContext } from "../context.js";
import { SHED_RETRY_MS } from "../limits.js";
import type { RelayFault } from "../fault.js";
import type { Arrival } from "../relay.js";
import type { StoreFault } from "../storage/storage.js";
import { enter } from "./enter.js";
import { giveBack, reserve } from "./reserve.js";
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

  const messages = taken.flatMap((one) => (one.kind === "message" ? [one.message] : []));
  if (messages.length === 0) return okAsync(writeReceipts(taken, []));
  return context.commits
    .write({ accept: messages })
    .map(({ accepted, lease }) => {
      for (const [index, message] of messages.entries()) enter(context, message, accepted[index], lease);
      return writeReceipts(taken, accepted);
    })
    .orElse((fault) => shed(context, { arrival, taken, messages }, fault));
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
      : { kind: outcome?.kind ?? "duplicate", messageId };
  });
}

interface Refused {
  readonly arrival: Arrival;
  readonly taken: readonly TakenIn[];
  readonly messages: readonly NewMessage[];
}

function shed(
  { clock, lanes, tally, tell }: RelayContext,
  { arrival, taken, messages }: Refused,
  fault: StoreFault,
): ResultAsync<readonly Receipt[], RelayFault> {
  for (const message of messages) giveBack(lanes, message);
  if (fault.code === "unavailable" || fault.code === "corrupt") return errAsync({ code: fault.code });
  const retryAt = (clock.wall() + SHED_RETRY_MS) as EpochMs;
  tally.add(arrival.source, "shed", messages.length);
  tell({ kind: "shed", source: arrival.source, calls: messages.length });
  return okAsync(taken.map((one): Receipt => (one.kind === "refused" ? one : { kind: "shed", retryAt })));
}

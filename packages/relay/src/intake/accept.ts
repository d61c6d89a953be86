// Takes an arrival in: every call is looked at, all that may pass is stored in one commit, and only then does anyone
// hear of it. When nothing can be stored, the calls that would have passed are shed; those refused stay refused.

import type { Accepted, EpochMs, NewMessage, Receipt } from "@postrider/core";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import { commit } from "../storage/commit.js";
import type { RelayContext } from "../context.js";
import { SHED_RETRY_MS } from "../limits.js";
import type { Arrival, RelayFault } from "../relay.js";
import type { StoreFault } from "../storage/storage.js";
import { takeIn, type TakenIn } from "./take-in.js";

/** A receipt for each call, in their order. */
export function accept(context: RelayContext, arrival: Arrival): ResultAsync<readonly Receipt[], RelayFault> {
  const now = context.clock.wall();
  const taken = arrival.calls.map((call) => takeIn(context, call, arrival, now));
  tellRefused(context, arrival, taken);

  const messages = taken.flatMap((one) => (one.kind === "message" ? [one.message] : []));
  if (messages.length === 0) return okAsync(writeReceipts(taken, []));
  return commit(context, { accept: messages })
    .map(({ accepted }) => {
      messages.forEach((message, index) => {
        enter(context, message, accepted[index]);
      });
      return writeReceipts(taken, accepted);
    })
    .orElse((fault) => shed(context, { arrival, taken, calls: messages.length }, fault));
}

function tellRefused({ tally, tell }: RelayContext, { source }: Arrival, taken: readonly TakenIn[]): void {
  for (const one of taken) {
    if (one.kind !== "refused") continue;
    tally.add(source, "refused", 1);
    tell({ kind: "refused", source, refusal: one.refusal });
  }
}

/** What was stored enters its lanes. */
function enter({ lanes, tell }: RelayContext, message: NewMessage, accepted: Accepted | undefined): void {
  const { source, messageId, filtered } = message;
  if (accepted === undefined || accepted.kind === "duplicate") {
    tell({ kind: "duplicate", source, messageId });
    return;
  }
  for (const [index, { destination, start }] of message.deliveries.entries()) {
    const delivery = accepted.deliveries[index];
    if (start.kind === "waiting") {
      lanes.grow(destination, message.body.length);
      lanes.due(destination, start.dueAt);
    } else if (start.kind === "dead" && delivery !== undefined) {
      tell({ kind: "died", delivery, destination, reason: start.reason, detail: null });
    }
  }
  tell({ kind: "accepted", source, messageId, deliveries: accepted.deliveries, filtered });
}

function writeReceipts(taken: readonly TakenIn[], accepted: readonly Accepted[]): readonly Receipt[] {
  const outcomes = accepted[Symbol.iterator]();
  return taken.map((one): Receipt => {
    if (one.kind === "refused") return one;
    const { messageId, filtered } = one.message;
    const outcome: Accepted | undefined = outcomes.next().value;
    return outcome?.kind === "stored"
      ? { kind: "accepted", messageId, deliveries: outcome.deliveries, filtered }
      : { kind: "duplicate", messageId };
  });
}

interface Refused {
  readonly arrival: Arrival;
  readonly taken: readonly TakenIn[];
  readonly calls: number;
}

function shed(
  { clock, tally, tell }: RelayContext,
  { arrival, taken, calls }: Refused,
  fault: StoreFault,
): ResultAsync<readonly Receipt[], RelayFault> {
  if (fault.code === "unavailable" || fault.code === "corrupt") return errAsync({ code: fault.code });
  const retryAt = (clock.wall() + SHED_RETRY_MS) as EpochMs;
  tally.add(arrival.source, "shed", calls);
  tell({ kind: "shed", source: arrival.source, calls });
  return okAsync(taken.map((one): Receipt => (one.kind === "refused" ? one : { kind: "shed", retryAt })));
}

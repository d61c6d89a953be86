// The answer that a commit would have got, if the process died before it came: as the model answers, with the ids that the
// store lists afterwards.

import type {
  AcceptResult,
  Changes,
  CommitResult,
  DeliveryId,
  DeliverySummary,
  EpochMs,
  InitialState,
} from "@postrider/core";
import { expectPresent } from "../../check.js";
import type { Model } from "./model.js";
import { append, findReplayable, judgeMessage, settle } from "./moves.js";
import type { Snapshot } from "./snapshot.js";

export function presumeCommit(
  model: Model,
  { asked, seen }: { readonly asked: Changes; readonly seen: Snapshot },
  now: EpochMs,
): CommitResult {
  const copy = structuredClone(model);
  const known = new Set(model.deliveries.map(({ id }) => id));
  const fresh = seen.list.deliveries.filter(({ id }) => !known.has(id)).toReversed();
  const accepted = asked.accept.map((message): AcceptResult => {
    const { source, messageId, type } = message;
    const kind = judgeMessage(copy, message, now);
    if (kind !== "stored") return { kind };
    copy.seen.push({ source, messageId, at: now, deliveries: 0 });
    const deliveries = message.deliveries.map(({ destination, start }) =>
      take(fresh, { source, messageId, type, destination }, start),
    );
    return { kind, deliveries };
  });
  const settled = asked.settle.map((settlement) => settle(copy, settlement, now));
  const replayed = asked.replay.map((again) => {
    const old = findReplayable(copy, again);
    return old === undefined ? undefined : take(fresh, { replayOf: again.of }, again.start);
  });
  return { accepted, settled, replayed, appended: asked.append.map((late) => append(copy, late)) };
}

/** Takes the oldest delivery that has these fields and this start out of the list. */
function take(fresh: DeliverySummary[], fields: Partial<DeliverySummary>, start: InitialState): DeliveryId {
  const names = Object.keys(fields) as (keyof DeliverySummary)[];
  const place = fresh.findIndex(
    (one) =>
      one.state === start.kind &&
      (one.replayOf === undefined) === (fields.replayOf === undefined) &&
      names.every((name) => one[name] === fields[name]) &&
      (start.kind !== "waiting" || one.dueAt === start.dueAt),
  );
  const [taken] = place === -1 ? [] : fresh.splice(place, 1);
  return expectPresent(taken, "a delivery of a commit that was not answered").id;
}

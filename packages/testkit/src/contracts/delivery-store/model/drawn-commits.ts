// Draws commits of any mixture: messages and duplicates, valid and stale settlements, replays, late attempts, tallies,
// the progress of notices.

import type { CallCounts, Changes, NoticeProgress, Replay } from "@postrider/core";
import fc from "fast-check";
import { drawnDeliveries, drawnRequests, type Drawn, type DrawContext, idOrUnknown } from "./command.js";
import { type AsDrawn, drawnMessages, lists, starts } from "./drawn-messages.js";
import { lateAttempts, settlements } from "./drawn-settlements.js";
import { leasesMs, sources, tokens } from "./names.js";
import { findRequest } from "./users.js";

interface DrawnReplay {
  readonly replay: Replay;
  /** Repeats a delivery that the same commit settles, if there is one. */
  readonly isOfSettled: boolean;
}

const replays: AsDrawn<DrawnReplay> = fc
  .tuple(drawnDeliveries("finished", "all"), starts, fc.boolean())
  .map(([delivery, start, isOfSettled]) => (there) => ({
    replay: { of: idOrUnknown(delivery(there)), start: start(there) },
    isOfSettled,
  }));

const tallies: fc.Arbitrary<CallCounts> = fc.record({
  source: sources,
  refused: fc.nat(3),
  suppressed: fc.nat(3),
  shed: fc.nat(3),
});

/** Any progress: none, all users of the request, or fewer than before. */
const progress: AsDrawn<NoticeProgress> = fc
  .tuple(drawnRequests(), fc.constantFrom(0, 1, 9, 9))
  .map(([request, most]) => (there) => {
    const deletion = request(there);
    return { deletion, users: Math.min(most, findRequest(there.model, deletion)?.users ?? 1) };
  });

export function drawnCommits(hasUsers: boolean): fc.Arbitrary<Drawn<Changes>> {
  return fc
    .record({
      accept: lists(drawnMessages(hasUsers)),
      settle: lists(settlements),
      replay: lists(replays),
      append: lateAttempts,
      tally: fc.array(tallies, { maxLength: 2 }),
      lease: fc.record({ token: tokens, leaseMs: leasesMs }),
      notified: fc.array(progress, { maxLength: 2 }),
    })
    .map((drawn) => (there) => makeCommit(drawn, there, hasUsers));
}

type DrawnCommit = Pick<Changes, "tally" | "lease"> & {
  readonly accept: Drawn<Changes["accept"]>;
  readonly settle: Drawn<Changes["settle"]>;
  readonly replay: Drawn<readonly DrawnReplay[]>;
  readonly append: Drawn<Changes["append"]>;
  readonly notified: readonly Drawn<NoticeProgress>[];
};

function makeCommit({ tally, lease, ...drawn }: DrawnCommit, there: DrawContext, hasUsers: boolean): Changes {
  const settle = drawn.settle(there);
  const replay = drawn.replay(there).map(({ replay: { of, start }, isOfSettled }, index) => {
    const settled = isOfSettled ? settle[index % settle.length] : undefined;
    return { of: settled?.id ?? of, start };
  });
  const notified = drawn.notified.map((one) => one(there));
  const rest = { accept: drawn.accept(there), settle, replay, append: drawn.append(there), tally, lease };
  return hasUsers ? { ...rest, notified } : rest;
}

// Writes changes to the store: the tally rides along, and a busy store is asked again a few times. What is still refused
// after that is the caller's to decide.

import type { Changes, Committed } from "@postrider/core";
import { errAsync, ResultAsync } from "neverthrow";
import { newLease, type RelayContext } from "../context.js";
import { BUSY_DELAYS_MS } from "../limits.js";
import { pause } from "./pause.js";
import type { StoreFault } from "./storage.js";

type Written = Partial<Pick<Changes, "accept" | "replay" | "settle" | "append">>;

/** One commit of what is given, and of the tally so far. */
export function commit(context: RelayContext, written: Written): ResultAsync<Committed, StoreFault> {
  const tally = context.tally.take();
  const lease = newLease(context);
  const changes: Changes = { accept: [], replay: [], settle: [], append: [], ...written, tally, lease };
  return tryCommit(context, changes, BUSY_DELAYS_MS).mapErr((fault) => {
    context.tally.putBack(tally);
    return fault;
  });
}

function tryCommit(
  context: RelayContext,
  changes: Changes,
  delays: readonly number[],
): ResultAsync<Committed, StoreFault> {
  const [delayMs, ...later] = delays;
  return context.storage
    .ask((store) => store.commit(changes, context.clock.wall()))
    .orElse((fault) => {
      if (fault.code !== "busy" || delayMs === undefined) return errAsync(fault);
      return ResultAsync.fromSafePromise(pause(context.clock, delayMs)).andThen(() =>
        tryCommit(context, changes, later),
      );
    });
}

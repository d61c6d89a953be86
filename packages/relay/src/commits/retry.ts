// Repeats what is safe to repeat: a request or a commit to a busy store, which has written nothing; and the change of a record that
// another process has changed first, which is decided again.

import type { Changes, Clock, CommitResult } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import { type Result, err, ok } from "neverthrow";
import { BUSY_DELAYS_MS, MAX_RACES } from "../limits.js";
import type { StoreFault } from "../fault.js";
import { instantOf, type Instant } from "./lease.js";
import type { StoreClock } from "../fleet/clock.js";
import type { Storage } from "./storage.js";

export async function whileBusy<T>(
  clock: Clock,
  ask: () => PromiseLike<Result<T, StoreFault>>,
): Promise<Result<T, StoreFault>> {
  for (const delayMs of BUSY_DELAYS_MS) {
    const result = await ask();
    if (result.isOk() || result.error.code !== "busy") return result;
    await pauseFor(clock, delayMs);
  }
  return ask();
}

interface Revised {
  readonly revision: number;
}

/** A record, as its store reads and replaces it. */
export interface RecordAccess<Stored extends Revised> {
  readonly find: () => Promise<Result<Stored | undefined, StoreFault>>;
  /** False if the stored record is not of the revision before. */
  readonly replace: (record: Stored) => Promise<Result<boolean, StoreFault>>;
}

/**
 * Replaces the record by the result of `decide`, under the next revision, and answers it; undefined if there is no record.
 * `decide` may be called repeatedly. `known` is the record as it was last read; if it is given, the first try does not read it.
 */
export async function replaceRecord<Stored extends Revised, Refusal>(
  { find, replace }: RecordAccess<Stored>,
  decide: (record: Stored) => Result<Stored, Refusal>,
  known?: Stored,
): Promise<Result<Stored | undefined, Refusal | StoreFault>> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const found = race === 0 && known !== undefined ? ok(known) : await find();
    if (found.isErr()) return err(found.error);
    if (found.value === undefined) return ok(undefined);
    const decided = decide(found.value);
    if (decided.isErr()) return err(decided.error);
    const next = { ...decided.value, revision: found.value.revision + 1 };
    const replaced = await replace(next);
    if (replaced.isErr()) return err(replaced.error);
    if (replaced.value) return ok(next);
  }
  return err({ code: "busy" });
}

export interface CommitMade {
  readonly committed: CommitResult;
  /** When the commit was requested. */
  readonly asked: Instant;
}

export function tryCommit(
  storage: Storage,
  clock: StoreClock,
  changes: Changes,
): Promise<Result<CommitMade, StoreFault>> {
  return whileBusy(clock, async () => {
    const asked = instantOf(clock);
    const result = await storage.ask((store) => store.commit(changes, asked.wall));
    return result.andThen((committed) => ok({ committed, asked }));
  });
}

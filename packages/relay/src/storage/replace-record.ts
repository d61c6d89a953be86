// Changes a stored record that other processes may change too: what was decided about a record that is no longer the stored one
// is decided again. Must not know what the record is of.

import { err, ok, type Result } from "neverthrow";
import { MAX_RACES } from "../limits.js";
import type { StoreFault } from "./store-fault.js";

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

// The boundary where an audience store's rejections become results; and how its records are changed, by whoever is first.
// How this store fares says nothing about the delivery of calls, so health does not show it.

import type { AudienceRecord, AudienceStore, Clock } from "@postrider/core";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { RelayEvent } from "../relay-event.js";
import { MAX_RACES } from "../limits.js";
import { createOrStalled, type OrStalled } from "../storage/or-stalled.js";
import { createStallWatch } from "../storage/stall-watch.js";
import { faultOf, type StoreFault } from "../storage/storage.js";
import { whileBusy } from "../storage/while-busy.js";

export interface AudienceStorage {
  /** Asks the store something that may be asked twice. A busy one is asked again. */
  ask<T>(question: (store: AudienceStore) => Promise<T>): Promise<Result<T, StoreFault>>;
  /** For what a host asks: it does not wait for a store that stands still. */
  readonly orStalled: OrStalled;
  /**
   * Puts what `decide` makes of a record in its place. Asked again with what is there then, whenever somebody else was
   * faster. `known` is what was there last, and saves a look.
   */
  change<F>(change: RecordChange<F>): Promise<Result<AudienceRecord, F | StoreFault | NoSuchAudience>>;
}

export interface RecordChange<F> {
  readonly key: string;
  readonly known?: AudienceRecord;
  readonly decide: (record: AudienceRecord) => Result<AudienceRecord, F>;
}

export interface NoSuchAudience {
  readonly code: "unknown-audience";
}

export interface AudienceStorageOptions {
  readonly clock: Clock;
  readonly emit: (event: RelayEvent) => void;
  /** From which age on a question shows that the store stands still, in milliseconds. */
  readonly stallMs: number;
}

/** Lifts an audience store into results. */
export function createAudienceStorage(
  store: AudienceStore,
  { clock, emit, stallMs }: AudienceStorageOptions,
): AudienceStorage {
  const watch = createStallWatch({ clock, stallMs });

  function ask<T>(question: (store: AudienceStore) => Promise<T>): Promise<Result<T, StoreFault>> {
    return whileBusy(clock, () =>
      ResultAsync.fromThrowable(
        watched(question),
        faultOf,
      )(store).mapErr((fault) => {
        emit({ kind: "store-fault", code: fault.code });
        return fault;
      }),
    );
  }

  function watched<T>(question: (store: AudienceStore) => Promise<T>): (store: AudienceStore) => Promise<T> {
    return async (audiences) => {
      const end = watch.begin();
      try {
        return await question(audiences);
      } finally {
        end(true);
      }
    };
  }

  async function changeOnce<F>(
    { key, decide }: RecordChange<F>,
    known: AudienceRecord | undefined,
  ): Promise<Result<AudienceRecord | "too-late", F | StoreFault | NoSuchAudience>> {
    const found = known === undefined ? await ask((audiences) => audiences.find(key)) : ok(known);
    if (found.isErr()) return err(found.error);
    if (found.value === undefined) return err({ code: "unknown-audience" });
    const decided = decide(found.value);
    if (decided.isErr()) return err(decided.error);
    const next = { ...decided.value, revision: found.value.revision + 1 };
    return (await ask((audiences) => audiences.replace(next))).map((isFirst) => (isFirst ? next : "too-late"));
  }

  return {
    ask,
    orStalled: createOrStalled(watch),
    change: async (change) => {
      for (let race = 0; race < MAX_RACES; race += 1) {
        const changed = await changeOnce(change, race === 0 ? change.known : undefined);
        if (changed.isErr()) return err(changed.error);
        if (changed.value !== "too-late") return ok(changed.value);
      }
      return err({ code: "busy" });
    },
  };
}

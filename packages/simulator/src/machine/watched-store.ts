// A store whose changes the ledger records. The operations of all processes run one after the other: the changes of each
// are recorded before the next takes effect, since the counters of both must match.

import type { DeliveryStore } from "@postrider/core";
import { checkCounts, seeEnd, seePullIn } from "../ledger/see-rest.js";
import type { Ledger } from "../ledger/ledger.js";
import { seeClaim } from "../ledger/see-claim.js";
import { seeCommit } from "../ledger/see-commit.js";

/** `process` is the number of the process that uses it. */
export function createWatchedStore(store: DeliveryStore, ledger: Ledger, process: number): DeliveryStore {
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = ledger.reading.then(work, work);
    ledger.reading = done;
    return done;
  }

  return {
    ...store,
    commit: (changes, now) =>
      inTurn(async () => {
        const committed = await store.commit(changes, now);
        seeCommit(ledger, { process, changes, committed }, now);
        checkCounts(ledger, ledger.counts, await store.counts());
        return committed;
      }),
    claim: (request, now) =>
      inTurn(async () => {
        const claimed = await store.claim(request, now);
        seeClaim(ledger, { process, request, claimed }, now);
        return claimed;
      }),
    end: (request, now) =>
      inTurn(async () => {
        const ended = await store.end(request, now);
        if (ended > 0) await seeEnd(ledger, store, request);
        return ended;
      }),
    pullIn: (request, now) =>
      inTurn(async () => {
        const pulled = await store.pullIn(request, now);
        if (pulled > 0) await seePullIn(ledger, store, request);
        return pulled;
      }),
  };
}

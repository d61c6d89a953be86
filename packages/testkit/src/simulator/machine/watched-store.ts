// A store whose answers the ledger reads, at the moment at which they take effect.

import type { DeliveryStore } from "@postrider/core";
import { checkCounts, seeEnd, seePullIn } from "../ledger/see-rest.js";
import type { Ledger } from "../ledger/ledger.js";
import { seeClaim } from "../ledger/see-claim.js";
import { seeCommit } from "../ledger/see-commit.js";

/** `process` is the number of the one that asks. */
export function createWatchedStore(store: DeliveryStore, ledger: Ledger, process: number): DeliveryStore {
  return {
    ...store,
    commit: async (changes, now) => {
      const [committing, counting] = [store.commit(changes, now), store.counts()];
      const committed = await committing;
      seeCommit(ledger, { process, changes, committed }, now);
      const seen = { ...ledger.counts };
      checkCounts(ledger, seen, await counting);
      return committed;
    },
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      seeClaim(ledger, { process, request, claimed }, now);
      return claimed;
    },
    end: async (request, now) => {
      const ended = await store.end(request, now);
      if (ended > 0) await seeEnd(ledger, store, request);
      return ended;
    },
    pullIn: async (request, now) => {
      const pulled = await store.pullIn(request, now);
      if (pulled > 0) await seePullIn(ledger, store, request);
      return pulled;
    },
  };
}

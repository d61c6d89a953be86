// What all that happens in one transaction shares.

import type { Reach } from "./deletions/erasure.js";
import type { Ledger } from "./counter-deltas.js";

export interface Transaction {
  readonly ledger: Ledger;
  readonly reach: Reach;
}

// What all that happens in one transaction shares.

import type { Reach } from "./deletions/reach.js";
import type { Ledger } from "./ledger.js";

export interface Transaction {
  readonly ledger: Ledger;
  readonly reach: Reach;
}

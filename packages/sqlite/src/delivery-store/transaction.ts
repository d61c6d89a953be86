// The objects that all operations of one transaction share.

import type { Erasure } from "./deletions/erasure.js";
import type { CounterDeltas } from "./counter-deltas.js";

export interface Transaction {
  readonly deltas: CounterDeltas;
  readonly erasure: Erasure;
}

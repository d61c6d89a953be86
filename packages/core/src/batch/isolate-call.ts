// Decides the next step after a server refuses a batch as a whole. No call is given up for the sake of others: the batch is halved until
// one call stands alone, and a call that is refused alone while others pass is set aside.

/** A refused batch, and the history of its call if it has only one. */
interface RefusedBatch {
  readonly calls: number;
  /** The number of the last try that the server has taken. Tries are numbered in the order in which they began. */
  readonly takenLast: number;
  /** The number of tries that had begun when this call was refused alone before; undefined if it was not. */
  readonly refusedAt: number | undefined;
}

/** The next step for the calls of a refused batch. */
type AfterRefusal =
  /** Each half is sent as a batch. */
  | { readonly kind: "halve" }
  /** The call is sent again, after other calls: the server may refuse all of them. */
  | { readonly kind: "later" }
  /** The server refuses this call, and has taken others that were sent in between. */
  | { readonly kind: "set-aside" };

/** Decides the next step after a batch is refused. */
export function isolateCall({ calls, takenLast, refusedAt }: RefusedBatch): AfterRefusal {
  if (calls > 1) return { kind: "halve" };
  return { kind: refusedAt !== undefined && takenLast > refusedAt ? "set-aside" : "later" };
}

// What a contract suite is made of: plain cases, to be handed to whatever runs tests.
//   for (const { name, run } of deliveryStoreContract(harness)) it(name, run);

export interface ContractCase {
  /** A promise, in words. */
  readonly name: string;
  /** Why this promise is not put to the test; `run` then does nothing. */
  readonly skipped?: string;
  /** Rejects with what was found wanting. */
  readonly run: () => Promise<void>;
}

/** Whether an adapter can do something; if not, why. */
export type Supported = true | { readonly reason: string };

/** The case, or a note that it is left out and why. */
export function caseFor(name: string, supported: Supported, run: () => Promise<void>): ContractCase {
  if (supported === true) return { name, run };
  const { reason } = supported;
  return { name: `${name} (not supported: ${reason})`, skipped: reason, run: () => Promise.resolve() };
}

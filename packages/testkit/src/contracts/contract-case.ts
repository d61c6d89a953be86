// The cases of a contract suite: plain data for any test runner.
//   for (const { name, run } of deliveryStoreContract(harness)) it(name, run);
//   await deliveryStoreContract(harness, { only: /a lease ends/ })[0].run();

/** One case of a contract suite, for any test runner. */
export interface ContractCase {
  /** A promise, in words. */
  readonly name: string;
  /** Why this promise is not tested; `run` then does nothing. */
  readonly skipped?: string;
  /** Rejects if the promise is broken, with an error that says how. */
  readonly run: () => Promise<void>;
}

/** Which cases of a suite are wanted. */
export interface ContractOptions {
  /** Only the cases whose name this matches. The suite throws if there are none, so that a misspelt name proves nothing. */
  readonly only?: RegExp;
}

/** The cases that are wanted, in their order. */
export function chooseCases(cases: readonly ContractCase[], { only }: ContractOptions): readonly ContractCase[] {
  if (only === undefined) return cases;
  const chosen = cases.filter(({ name }) => name.search(only) !== -1);
  if (chosen.length === 0) throw new Error(`no case has a name that ${String(only)} matches`);
  return chosen;
}

/** Whether an adapter can do something; if not, why. */
export type Supported = true | { readonly reason: string };

/** Makes a case. If the adapter does not support it, `run` does nothing, and `name` and `skipped` say why. */
export function caseFor(name: string, supported: Supported, run: () => Promise<void>): ContractCase {
  if (supported === true) return { name, run };
  const { reason } = supported;
  return { name: `${name} (not supported: ${reason})`, skipped: reason, run: () => Promise.resolve() };
}

/** Whether all that a case needs is supported; if not, why. */
export function supportFor<Need extends string>(
  supports: Readonly<Partial<Record<Need, Supported>>>,
  needs: readonly Need[] = [],
): Supported {
  const asked = needs.map((need) => supports[need] ?? { reason: `the harness says nothing of \`${need}\`` });
  return asked.find((supported) => supported !== true) ?? true;
}

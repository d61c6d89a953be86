// The cases of a contract suite: plain data for any test runner, chosen by `only` or skipped by `supports`. If a
// harness lacks what a supported part rests on, its cases cannot run, and must not pass for a broken promise.

/** One case of a contract suite, for any test runner. */
export interface ContractCase {
  /** A promise, in words. */
  readonly name: string;
  /** The reason why this promise is not tested; `run` then does nothing. */
  readonly skipped?: string;
  /** Rejects if the promise is broken, with an error that says how. */
  readonly run: () => Promise<void>;
}

/** Selects the cases of a suite. */
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

/** True if an adapter can do something; if not, the reason. */
export type Supported = true | { readonly reason: string };

/** Makes a case. If the adapter does not support it, `run` does nothing, and `name` and `skipped` say why. */
export function caseFor(name: string, supported: Supported, run: () => Promise<void>): ContractCase {
  if (supported === true) return { name, run };
  const { reason } = supported;
  return { name: `${name} (not supported: ${reason})`, skipped: reason, run: () => Promise.resolve() };
}

/** True if everything that a case needs is supported; if not, the reason. */
export function supportFor<Need extends string>(
  supports: Readonly<Partial<Record<Need, Supported>>>,
  needs: readonly Need[] = [],
): Supported {
  const supportOfNeeds = needs.map((need) => supports[need] ?? { reason: `the harness says nothing of \`${need}\`` });
  return supportOfNeeds.find((supported) => supported !== true) ?? true;
}

/** The error of a case that cannot run, because the harness or what it opens lacks what `supports` promises. */
export interface HarnessError extends Error {
  readonly name: "HarnessError";
}

/** Tells the error of a case that cannot run from one that says how a promise is broken. */
export function isHarnessError(error: unknown): error is HarnessError {
  return error instanceof Error && error.name === "HarnessError";
}

export function createHarnessError(part: string, owner: "harness" | "store" | "adapter", member: string): HarnessError {
  const reason = `\`supports.${part}\` is true, but the ${owner} has no \`${member}\``;
  return Object.assign(new Error(reason), { name: "HarnessError" } as const);
}

/** The member that a part rests on: of the harness, of the store that it opens, or of neither. */
export interface NeededMember<Harness, Store> {
  readonly harness?: keyof Harness;
  readonly store?: keyof Store;
}

/** Throws a `HarnessError` unless the harness and its store have what these parts rest on. */
export function expectNeededMembers<Part extends string, Harness extends object, Store extends object>(
  parts: readonly Part[],
  needed: Readonly<Record<Part, NeededMember<Harness, Store>>>,
  { harness, store }: { readonly harness: Harness; readonly store: Store },
): void {
  for (const part of parts) {
    const { harness: opener, store: member } = needed[part];
    if (opener !== undefined && harness[opener] === undefined)
      throw createHarnessError(part, "harness", String(opener));
    if (member !== undefined && store[member] === undefined) throw createHarnessError(part, "store", String(member));
  }
}

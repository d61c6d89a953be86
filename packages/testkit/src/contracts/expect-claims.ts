// A harness claims parts in `supports`. If it lacks what a part rests on, the cases of that part cannot run: they say nothing about the
// store, and must not pass for a broken promise.

/** The error of a case that cannot run, because the harness or what it opens lacks what `supports` claims. */
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
export interface Needed<Harness, Store> {
  readonly harness?: keyof Harness;
  readonly store?: keyof Store;
}

/** Throws a `HarnessError` unless the harness and its store have what these parts rest on. */
export function expectClaims<Part extends string, Harness extends object, Store extends object>(
  parts: readonly Part[],
  needed: Readonly<Record<Part, Needed<Harness, Store>>>,
  { harness, store }: { readonly harness: Harness; readonly store: Store },
): void {
  for (const part of parts) {
    const { harness: opener, store: member } = needed[part];
    if (opener !== undefined && harness[opener] === undefined)
      throw createHarnessError(part, "harness", String(opener));
    if (member !== undefined && store[member] === undefined) throw createHarnessError(part, "store", String(member));
  }
}

// Processes on one record store, each request of which waits until a test lets it through, fails it or kills its process: before it has
// taken effect, or after.

import { createStoreError, type RecordStore } from "@postrider/core";

export const STEPS = ["answer", "fail-before", "fail-after", "kill-before", "kill-after"] as const;

/** The ways in which a request ends. */
export type StepKind = (typeof STEPS)[number];

export interface SteppedProcess {
  readonly records: RecordStore;
  /** Runs work until it waits at its first request, or ends. Rejects if the work does, and so does `step`. */
  begin(work: () => Promise<void>): Promise<void>;
  /** Lets the waiting request go on, and resolves once the process waits at the next one, has ended its work, or is dead. */
  step(kind: StepKind): Promise<void>;
  /** True if a request waits. */
  isAsking(): boolean;
}

/** `onDone`: a request has taken effect. */
export function createSteppedProcess(
  store: RecordStore,
  onDone: (method: keyof RecordStore, args: readonly unknown[], result: unknown) => void,
): SteppedProcess {
  let proceed: ((kind: StepKind) => Promise<void>) | undefined;
  let rest = (): void => undefined;
  let fail = (_: unknown): void => undefined;

  function ask<T>(method: keyof RecordStore, args: readonly unknown[], request: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      proceed = async (kind) => {
        const result = kind.endsWith("before") ? undefined : await request();
        if (!kind.endsWith("before")) onDone(method, args, result);
        if (kind.startsWith("kill")) rest();
        else if (kind.startsWith("fail")) reject(createStoreError("unavailable", "a step that fails"));
        else resolve(result as T);
      };
      rest();
    });
  }

  function untilRest(run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      [rest, fail] = [resolve, reject];
      run().catch(fail);
    });
  }

  return {
    records: {
      put: (record) => ask("put", [record], () => store.put(record)),
      find: (kind, key, above) => ask("find", [kind, key], () => store.find(kind, key, above)),
      list: (query) => ask("list", [query], () => store.list(query)),
      remove: (kind, key) => ask("remove", [kind, key], () => store.remove(kind, key)),
    },
    begin: (work) =>
      untilRest(async () => {
        void work().then(
          () => rest(),
          (error: unknown) => fail(error),
        );
      }),
    step: (kind) => {
      const run = proceed;
      proceed = undefined;
      return run === undefined ? Promise.resolve() : untilRest(() => run(kind));
    },
    isAsking: () => proceed !== undefined,
  };
}

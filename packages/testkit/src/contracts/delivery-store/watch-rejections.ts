// Watches a store in all cases: a method never throws, and rejects only with a `StoreError`. Knows no case.

import { storeErrorCodeOf } from "@postrider/core/engine";
import { toPlainJson } from "../check.js";

export interface RejectionWatch {
  /** The same store, whose rejections are checked. */
  readonly watch: <Store extends object>(store: Store) => Store;
  /** Throws if a store has thrown, or has rejected with something else than a `StoreError`. */
  readonly expectNone: () => void;
}

export function watchRejections(): RejectionWatch {
  const violations: string[] = [];

  function note(method: string, how: string, error: unknown): void {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : JSON.stringify(toPlainJson(error));
    violations.push(`\`${method}\` ${how}, not with a StoreError of one of the four codes: ${what}`);
  }

  function watchMethod(method: string, call: Method): Method {
    return (...args) => {
      try {
        const answer = call(...args);
        if (answer instanceof Promise) {
          answer.catch((error: unknown) => {
            if (!isStoreError(error)) note(method, "rejected", error);
          });
        }
        return answer;
      } catch (error) {
        note(method, "threw instead of rejecting", error);
        throw error;
      }
    };
  }

  function watchPart<Part extends object>(part: Part, prefix: string): Part {
    return new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (prefix + String(name) === RUN_BY_HOST) return member;
        if (typeof member === "function") return watchMethod(`${prefix}${String(name)}`, member.bind(target) as Method);
        return PARTS.has(name) && member instanceof Object ? watchPart(member, `${String(name)}.`) : member;
      },
    });
  }

  return {
    watch: (store) => watchPart(store, ""),
    expectNone: () => {
      if (violations.length > 0) throw new Error(violations.join("\n"));
    },
  };
}

/** The parts of a store that have methods too. */
const PARTS: ReadonlySet<string | symbol> = new Set([
  "deletions",
  "records",
  "board",
  "laneChanges",
  "outbox",
  "hints",
]);

/** The method that rejects with the errors of a host. */
const RUN_BY_HOST = "outbox.add";

type Method = (...args: unknown[]) => unknown;

function isStoreError(error: unknown): boolean {
  return error instanceof Error && storeErrorCodeOf(error) !== undefined;
}

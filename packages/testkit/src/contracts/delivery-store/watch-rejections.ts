// Watches a store in all cases: a method never throws, and rejects only with a `StoreError`. Knows no case.

import { storeErrorCodeOf } from "@postrider/core/engine";
import { toPlainJson } from "../check.js";

export interface RejectionWatch {
  /** The same store; what it rejects with is looked at. */
  readonly watched: <Store extends object>(store: Store) => Store;
  /** Throws if a store has thrown, or has rejected with something else than a `StoreError`. */
  readonly expectNone: () => void;
}

export function watchRejections(): RejectionWatch {
  const found: string[] = [];

  function note(method: string, how: string, error: unknown): void {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : JSON.stringify(toPlainJson(error));
    found.push(`\`${method}\` ${how}, not with a StoreError of one of the four codes: ${what}`);
  }

  function watchedMethod(method: string, call: Method): Method {
    return (...given) => {
      try {
        const answer = call(...given);
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

  function watchedPart<Part extends object>(part: Part, prefix: string): Part {
    return new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member === "function")
          return watchedMethod(`${prefix}${String(name)}`, member.bind(target) as Method);
        return PARTS.has(name) && member instanceof Object ? watchedPart(member, `${String(name)}.`) : member;
      },
    });
  }

  return {
    watched: (store) => watchedPart(store, ""),
    expectNone: () => {
      if (found.length > 0) throw new Error(found.join("\n"));
    },
  };
}

/** The parts of a store that have methods too. */
const PARTS: ReadonlySet<string | symbol> = new Set(["deletions", "records", "board"]);

type Method = (...given: unknown[]) => unknown;

function isStoreError(error: unknown): boolean {
  return error instanceof Error && storeErrorCodeOf(error) !== undefined;
}

// Notes what a store is given and what it answers: for each place the texts and flags that came, and how long or large what came
// was at most.

import type { DeliveryStore } from "@postrider/core";

export interface Noted {
  /** The short texts and the flags at each place, such as `commit(0).accept[].type`. */
  readonly texts: Map<string, Set<string>>;
  /** The largest number, length of a text or list, or count of bytes at each place. */
  readonly most: Map<string, number>;
}

/** Longer texts are no members of a closed list. */
const LONGEST_MEMBER = 40;

export function watching(noted: Noted): (store: DeliveryStore) => DeliveryStore {
  return (store) => {
    const { deletions, records, laneChanges, board } = store;
    const watched = watchAll(store, "");
    return {
      ...watched,
      ...(deletions && { deletions: watchAll(deletions, "deletions.") }),
      ...(records && { records: watchAll(records, "records.") }),
      ...(laneChanges && { laneChanges: watchAll(laneChanges, "laneChanges.") }),
      ...(board && { board: watchAll(board, "board.") }),
    };
  };

  function watchAll<Part extends object>(part: Part, path: string): Part {
    const entries = Object.entries(part).map(([name, method]: [string, unknown]) => {
      if (typeof method !== "function") return [name, method];
      return [name, watch(method as Method, path + name)];
    });
    return Object.fromEntries(entries) as Part;
  }

  function watch(method: Method, name: string): Method {
    return async (...given) => {
      for (const [index, value] of given.entries()) note(value, `${name}(${String(index)})`);
      const answer = await method(...given);
      note(answer, `${name}()`);
      return answer;
    };
  }

  function note(value: unknown, path: string): void {
    if (typeof value === "string") noteText(value, path);
    if (typeof value === "boolean") noteText(String(value), path);
    if (typeof value === "number") noteMost(value, path);
    if (value instanceof Uint8Array) noteMost(value.length, path);
    else if (Array.isArray(value)) {
      noteMost(value.length, path);
      for (const item of value) note(item, `${path}[]`);
    } else if (typeof value === "object" && value !== null)
      for (const [name, field] of Object.entries(value)) note(field, `${path}.${name}`);
  }

  function noteText(text: string, path: string): void {
    noteMost(text.length, path);
    if (text.length > LONGEST_MEMBER) return;
    const texts = noted.texts.get(path) ?? new Set();
    noted.texts.set(path, texts.add(text));
  }

  function noteMost(size: number, path: string): void {
    noted.most.set(path, Math.max(size, noted.most.get(path) ?? 0));
  }
}

type Method = (...given: readonly unknown[]) => Promise<unknown>;

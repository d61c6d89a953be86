// The scene of one case: the store under test, names that no other case uses, sample members, and the operations that most
// cases need.

import { type AudienceStore, MAX_USER_ID_LENGTH, type Member } from "@postrider/core";
import type { GateControl } from "../delivery-store/gate.js";
import type { AudienceStoreSupport } from "./harness.js";
import { lookAlikes } from "../look-alikes.js";

/** One promise, and the case that tests it. */
export interface AudienceCase {
  readonly name: string;
  readonly needs?: readonly (keyof AudienceStoreSupport)[];
  play(scene: Scene): Promise<void>;
}

export interface Scene {
  /** A name that only this run of the case uses: of a key or a set, or a prefix of several. */
  uniqueName(name: string): string;
  /** The store, as opened last. */
  store(): AudienceStore;
  /** Opens the storage once more, beside the store in use. */
  openAnother(): Promise<AudienceStore>;
  /** Opens the storage again without closing the store, as after a crash. */
  crash(): Promise<void>;
  /** Opens the storage again after the store was closed. */
  reopen(): Promise<void>;
  /** Opens the storage again as after a crash, now with too little room for a large append. */
  reopenCramped(): Promise<void>;
  /** True if each access to the storage passes a gate. */
  readonly isGated: boolean;
  /** The gates of all stores that are opened in this scene. */
  readonly gates: GateControl;
  /** The same store with names that are used nowhere else, so that a case can be played once more. */
  anew(): Scene;
  /** Appends members without values, to the store as opened last unless another is given. */
  append(set: string, userIds: readonly string[], store?: AudienceStore): Promise<void>;
  /** All members of a set beyond `after`, read page by page. */
  readAll(set: string, after?: string): Promise<readonly Member[]>;
  /** The ids of these members. */
  readIds(set: string, after?: string): Promise<readonly string[]>;
  /** Drops a set completely. */
  drop(set: string): Promise<void>;
}

/** Ids of one length, in order. */
export function numberedIds(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, index) => `user-${String(from + index).padStart(8, "0")}`);
}

/** Look-alikes, and texts that careless code sorts wrongly, in the order of their code units. */
export const NASTY_IDS: readonly string[] = [
  ...new Set([
    ...lookAlikes(MAX_USER_ID_LENGTH),
    ...["", "\u0000\u0000", '"quoted" \\ back', "aa", "line\r\n\u2028", "z".repeat(5_000)],
    ...["\ud83d\ude00", "\udc00\ud800", "\udfff", "\uffff"],
  ]),
].toSorted((first, second) => (first < second ? -1 : 1));

// The scene of one case: the store under test, names that no other case uses, and the operations that most cases need.

import type { AudienceRecord, AudienceStore, Member } from "@postrider/core";
import type { GateControl } from "../delivery-store/gate.js";
import type { AudienceStoreSupport } from "./harness.js";

/** One promise, and the case that tests it. */
export interface AudienceCase {
  readonly name: string;
  readonly needs?: readonly (keyof AudienceStoreSupport)[];
  play(scene: Scene): Promise<void>;
}

export interface Scene {
  /** A name that only this run of the case uses: of a key or a set, or a prefix of several. */
  uniqueName(name: string): string;
  /** An audience of this scene that was never synced, with the given fields changed. */
  record(name: string, given?: Partial<AudienceRecord>): AudienceRecord;
  /** The store, as opened last. */
  store(): AudienceStore;
  /** Opens the storage once more, beside the store in use. */
  openAnother(): Promise<AudienceStore>;
  /** Opens the storage again without closing the store, as after a crash. */
  crash(): Promise<void>;
  /** Opens the storage again as after a crash, now with too little room for a large append. */
  reopenCramped(): Promise<void>;
  /** Whether each access to the storage passes a gate. */
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

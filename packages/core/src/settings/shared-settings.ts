// The settings that all servers of a store share, as revisions: 1, 2, 3 and so on, none left out and none used twice. They are kept as
// records (decisions: settings in the store; one part for records).

import type { EpochMs } from "../ids.js";

/** A document that is to be the next revision. */
export interface SettingsEdit {
  /** The revision that the editor has seen as the latest one; 0 if there was none. */
  readonly expect: number;
  /**
   * A JSON text as `JSON.stringify` writes it, so that neither U+0000 nor half of a surrogate pair stands in it as itself. At most
   * `MAX_SETTINGS_BYTES` in UTF-8. It comes back unit for unit: nothing in it is sorted, normalised or written in another way.
   */
  readonly document: string;
  /** The name of the editor: any text, as an id may be, of at most `MAX_ACTOR_LENGTH` UTF-16 units. */
  readonly actor?: string;
}

/** The result of an edit. `revision` is the latest one afterwards: that of the edit if it is `stored`; 0 if there is none. */
export interface SettingsPutResult {
  readonly kind: "stored" | "stale";
  readonly revision: number;
}

/** The number, instant and editor of a revision. */
export interface SettingsChange {
  readonly revision: number;
  /** As in the edit; absent if it had none. */
  readonly actor?: string;
  readonly changedAt: EpochMs;
}

/** A revision, with its document. */
export interface SettingsRevision extends SettingsChange {
  readonly document: string;
}

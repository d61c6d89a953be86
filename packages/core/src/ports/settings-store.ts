// The part of a delivery store that keeps settings for all servers on it. A store only keeps them: it reads no document, and who
// puts one has checked it (decision: settings in the store).

import type { EpochMs } from "../ids.js";

/**
 * The settings that all servers of a store share, as revisions: 1, 2, 3 and so on, none left out and none used twice. The latest
 * `MAX_SETTINGS_HISTORY` of them are kept. Of two that are put at the same time, one comes first.
 */
export interface SettingsStore {
  /**
   * One durable commit: keeps the document as the revision `expect + 1`, if `expect` is the latest one, and removes what is more
   * than `MAX_SETTINGS_HISTORY` revisions back. Otherwise answers `stale`, and changes nothing.
   */
  put(edit: SettingsEdit, now: EpochMs): Promise<SettingsPutResult>;
  /**
   * The latest revision, if it is higher than `above`, and undefined otherwise. With 0, the latest one. Each server asks this every
   * second, so it must cost little if there is nothing new, however large the document is.
   */
  latest(above: number): Promise<SettingsRevision | undefined>;
  /** A revision that is kept. */
  find(revision: number): Promise<SettingsRevision | undefined>;
  /** All revisions that are kept, without their documents: the latest first, whatever the clocks of their writers told. */
  history(): Promise<readonly SettingsChange[]>;
}

/** A document that is to be the next revision. */
export interface SettingsEdit {
  /** The revision that the editor has seen as the latest one; 0 if there was none. */
  readonly expect: number;
  /**
   * A JSON text as `JSON.stringify` writes it, so that neither U+0000 nor half of a surrogate pair stands in it as itself. At most
   * `MAX_SETTINGS_BYTES` in UTF-8. It comes back unit by unit: nothing in it is sorted, normalised or written in another way.
   */
  readonly document: string;
  /** Who changes the settings: any text of at most `MAX_ACTOR_LENGTH` UTF-16 units, as ids are. */
  readonly actor?: string;
}

/** What became of an edit. `revision` is the latest one afterwards: that of the edit if it is `stored`; 0 if there is none. */
export interface SettingsPutResult {
  readonly kind: "stored" | "stale";
  readonly revision: number;
}

/** Which revision came when, by whom. */
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

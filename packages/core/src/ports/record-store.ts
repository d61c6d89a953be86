// The storage port of small records: pauses of lanes, replay jobs, audiences, the settings that servers share. A delivery store and an
// audience store each offer one. It reads no text: the codecs of the kinds are in records/ (decision: one part for records).

/** The kinds of records. A record is found by its kind and its key. */
export const RECORD_KINDS = [
  "pause",
  "replay-job",
  "audience",
  "settings",
  "settings-change",
  "settings-document",
] as const;

/** The kind of a record: it says how its text reads. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** A record as it is stored. */
export interface StoredRecord {
  readonly kind: RecordKind;
  /** Any text of UTF-16 units, as ids are. */
  readonly key: string;
  /** 1 for a new record; increases by one with each replacement. */
  readonly revision: number;
  /** A short text by which lists can be narrowed, such as a state: 1 to 40 of `a` to `z` and `-`. */
  readonly tag?: string;
  /** At most `MAX_RECORD_BYTES` in UTF-8, without U+0000 and lone surrogates. It comes back unit for unit. */
  readonly text: string;
}

/** The filter of a list of records, and its page. */
export interface RecordQuery {
  readonly kind: RecordKind;
  /** Only records with this tag. */
  readonly tag?: string;
  /** The key before the page. Its record need not exist. Absent: the first page. */
  readonly after?: string;
  readonly limit: number;
}

/**
 * Small named records, replaced by revision. If a process dies, a change that was not answered is stored whole or not at all. A change
 * resolves only once it would survive a power cut.
 */
export interface RecordStore {
  /**
   * One durable commit: stores the record if the stored revision is `record.revision - 1`, or if the revision is 1 and no record has
   * its key. Otherwise returns false, and changes nothing: of two writers of the same revision, only the first succeeds.
   */
  put(record: StoredRecord): Promise<boolean>;
  /**
   * The record with this key, if its revision is higher than `above` (absent: 0). Servers ask this every second for settings above their
   * own, so a record that is not higher costs little, however long its text is.
   */
  find(kind: RecordKind, key: string, above?: number): Promise<StoredRecord | undefined>;
  /**
   * Up to `limit` records whose keys follow `after`, in an order of keys that the store chooses and never changes. Fewer than `limit`:
   * the list ends here.
   */
  list(query: RecordQuery): Promise<readonly StoredRecord[]>;
  /** One durable commit: removes the record, whatever its revision. Changes nothing if there is none. */
  remove(kind: RecordKind, key: string): Promise<void>;
}

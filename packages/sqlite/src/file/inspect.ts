// Tells from their bytes, without opening them as a database, whether a file is a store of this package, and whether a write-ahead log
// was cut off by a power cut or is damaged: SQLite reads a log up to the first frame that does not fit, and ignores the rest without
// an error. The formats are those of sqlite.org/fileformat2.html.

import { APPLICATION_ID, SCHEMA_STEPS } from "../schema/schema.js";

/** Bytes that `inspectFileHeader` needs. */
export const FILE_HEADER_BYTES = 100;

/**
 * `store`: a store; `isCurrent` tells whether it has the current schema version. `empty`: no bytes, or a database to which
 * nothing was moved from its log yet. `newer`: written by a newer version. `foreign`: a database of another program.
 * `no-database`: no SQLite file.
 */
type FileHeader =
  | { readonly kind: "store"; readonly isCurrent: boolean }
  | { readonly kind: "empty" | "newer" | "foreign" | "no-database" };

const DATABASE_MAGIC = "SQLite format 3\u0000";

const SCHEMA_COOKIE_AT = 40;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** Reads the first `FILE_HEADER_BYTES` of a file. A shorter file that is not empty is no database. */
export function inspectFileHeader(bytes: Uint8Array): FileHeader {
  if (bytes.length === 0) return { kind: "empty" };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = String.fromCharCode(...bytes.subarray(0, DATABASE_MAGIC.length));
  if (bytes.length < FILE_HEADER_BYTES || magic !== DATABASE_MAGIC) return { kind: "no-database" };
  const id = view.getUint32(APPLICATION_ID_AT);
  if (id === 0 && view.getUint32(SCHEMA_COOKIE_AT) === 0) return { kind: "empty" };
  if (id !== APPLICATION_ID) return { kind: "foreign" };
  const version = view.getUint32(USER_VERSION_AT);
  if (version > SCHEMA_STEPS.length) return { kind: "newer" };
  return { kind: "store", isCurrent: version === SCHEMA_STEPS.length };
}

/** The state of a file beside a database: it is a complete log, no log, or a broken log. */
type LogState = "sound" | "not-a-log" | "broken";

/**
 * The state of a log; `log` is the bytes of the `-wal` file. After a power cut, SQLite is right to ignore the frames
 * from the first bad frame on, since they were never acknowledged. But each commit is synced before the next commit is
 * written: if a further commit was begun after the commit of the bad frame, the bad frame had been acknowledged, and
 * the log is broken.
 */
export function inspectWriteAheadLog(log: Uint8Array): LogState {
  if (log.length < HEADER_BYTES || isBlank(log)) return "sound";
  const header = readHeader(log);
  if (header === undefined) return "not-a-log";
  const brokenFrame = firstBroken(header);
  return isCommitBegunBehind(header, brokenFrame) ? "broken" : "sound";
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SUM_BYTES = 8;
/** The first four bytes of a log; their last bit tells the byte order of the checksums. */
const LOG_MAGIC = 0x377f0682;

type Sum = readonly [number, number];

interface Log {
  readonly view: DataView;
  readonly isLittleEndian: boolean;
  readonly frameBytes: number;
  readonly frames: number;
}

/** True if the header is all zeros, as in a new log whose first bytes had not reached the disk before a power cut. */
function isBlank(log: Uint8Array): boolean {
  return log.subarray(0, HEADER_BYTES).every((byte) => byte === 0);
}

function readHeader(bytes: Uint8Array): Log | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = view.getUint32(0);
  if ((magic & ~1) >>> 0 !== LOG_MAGIC) return undefined;
  const isLittleEndian = magic === LOG_MAGIC;
  const frameBytes = FRAME_HEADER_BYTES + view.getUint32(8);
  const log = { view, isLittleEndian, frameBytes, frames: Math.floor((bytes.length - HEADER_BYTES) / frameBytes) };
  return isSame(add(log, [0, 0], { at: 0, bytes: HEADER_BYTES - SUM_BYTES }), storedSum(log, HEADER_BYTES - SUM_BYTES))
    ? log
    : undefined;
}

/** The index of the first frame that does not continue the frame before it; the number of frames if all do. */
function firstBroken(log: Log): number {
  let frame = 0;
  while (frame < log.frames && follows(log, frame)) frame += 1;
  return frame;
}

/** True if a commit ends at or after the broken frame, and a later frame continues the frame before it. */
function isCommitBegunBehind(log: Log, brokenFrame: number): boolean {
  let isCommitSeen = false;
  for (let frame = brokenFrame; frame < log.frames; frame += 1) {
    if (isCommitSeen && follows(log, frame)) return true;
    // The second word of a frame is 0 unless it ends a commit.
    if (isOfThisLog(log, frame) && log.view.getUint32(placeOf(log, frame) + 4) !== 0) isCommitSeen = true;
  }
  return false;
}

/**
 * True if the checksum of a frame continues the checksum of the frame before it, so that SQLite wrote the two in this
 * order.
 */
function follows(log: Log, frame: number): boolean {
  if (!isOfThisLog(log, frame)) return false;
  const place = placeOf(log, frame);
  const previousSum = storedSum(log, frame === 0 ? HEADER_BYTES - SUM_BYTES : placeOf(log, frame - 1) + 16);
  const headSum = add(log, previousSum, { at: place, bytes: 8 });
  const page = { at: place + FRAME_HEADER_BYTES, bytes: log.frameBytes - FRAME_HEADER_BYTES };
  return isSame(add(log, headSum, page), storedSum(log, place + 16));
}

/** True if a frame has the salts of this log. Frames that were written before the log was restarted have other salts. */
function isOfThisLog({ view, ...log }: Log, frame: number): boolean {
  const place = placeOf(log, frame);
  return view.getUint32(place + 8) === view.getUint32(16) && view.getUint32(place + 12) === view.getUint32(20);
}

function placeOf({ frameBytes }: Pick<Log, "frameBytes">, frame: number): number {
  return HEADER_BYTES + frame * frameBytes;
}

function storedSum({ view }: Log, at: number): Sum {
  return [view.getUint32(at), view.getUint32(at + 4)];
}

interface ByteRange {
  readonly at: number;
  /** A multiple of eight. */
  readonly bytes: number;
}

function add({ view, isLittleEndian }: Log, sum: Sum, { at, bytes }: ByteRange): Sum {
  let [first, second] = sum;
  for (let place = at; place < at + bytes; place += 8) {
    first = (first + view.getUint32(place, isLittleEndian) + second) | 0;
    second = (second + view.getUint32(place + 4, isLittleEndian) + first) | 0;
  }
  return [first >>> 0, second >>> 0];
}

function isSame(sum: Sum, otherSum: Sum): boolean {
  return sum[0] === otherSum[0] && sum[1] === otherSum[1];
}

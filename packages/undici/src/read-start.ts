// Reads the start of an answer ahead of the strict parser, in any pieces: finds the status line of a success, and turns each
// 100 into a 102, which the parser skips as it skips other interim answers (decision: the status line). Reads no field.

import { CR, DIGIT, isIn, LF, SPACE, TEXT, ZERO } from "./octets.js";

export interface StartReader {
  /** Begins with the next answer. */
  begin(): void;
  /** Reads on, and may change the last digit of a 100. Returns the status of a success once its status line is whole. */
  read(piece: Buffer): number | undefined;
  /** True if there is nothing more to read: the final status line is whole, or the answer has none. */
  isOver(): boolean;
}

const VERSION: Uint8Array = Buffer.from("HTTP/1.");
const MINOR_AT: number = VERSION.length;
const STATUS_AT: number = MINOR_AT + 2;
const STATUS_END: number = STATUS_AT + 3;
const CONTINUE = 100;
const SWITCHING_PROTOCOLS = 101;
/** The first octet that is beyond ASCII: a reason may have it (RFC 9112, §4). */
const OBS_TEXT = 0x80;

/** `before`: line ends before a status line. `line`: the status line. `fields`: those of an interim answer. `over`: no more is read. */
type Place = "before" | "line" | "fields" | "over";

export function createStartReader(): StartReader {
  let place: Place = "before";
  /** The number of octets of the line so far, without its CR. */
  let column = 0;
  let isAfterCr = false;
  let status = 0;

  return {
    begin() {
      place = "before";
    },
    read(piece) {
      if (place === "over") return undefined;
      for (let at = 0; at < piece.length; at += 1) {
        const octet = piece[at] ?? 0;
        if (place === "before" && octet !== CR && octet !== LF) beginLine();
        if (isLastOf100(octet)) piece[at] = ZERO + 2;
        if (place === "line") readLine(octet);
        else if (place === "fields") readFields(octet);
        if (isOver()) return Math.trunc(status / 100) === 2 ? status : undefined;
      }
      return undefined;
    },
    isOver,
  };

  // A function, since the compiler believes that no function changes `place`.
  function isOver(): boolean {
    return place === "over";
  }

  function isLastOf100(octet: number): boolean {
    return place === "line" && column === STATUS_END - 1 && status === CONTINUE / 10 && octet === ZERO;
  }

  function beginLine(): void {
    place = "line";
    column = 0;
    status = 0;
    isAfterCr = false;
  }

  function readLine(octet: number): void {
    if (octet === LF && column >= STATUS_END) endLine();
    else if (isAfterCr || !isExpected(octet)) giveUp();
    else if (octet === CR) isAfterCr = true;
    else {
      if (column >= STATUS_AT && column < STATUS_END) status = status * 10 + octet - ZERO;
      column += 1;
    }
  }

  /** True if the octet may stand in this column of a status line. */
  function isExpected(octet: number): boolean {
    if (column < MINOR_AT) return octet === VERSION[column];
    if (column === STATUS_AT - 1) return octet === SPACE;
    if (column < STATUS_END) return isIn(DIGIT, octet);
    if (octet === CR) return true;
    return column === STATUS_END ? octet === SPACE : octet >= OBS_TEXT || isIn(TEXT, octet);
  }

  /** The line is well-formed. */
  function endLine(): void {
    const isInterim = status >= CONTINUE && status <= 199 && status !== SWITCHING_PROTOCOLS;
    place = isInterim ? "fields" : "over";
    column = 0;
  }

  function giveUp(): void {
    place = "over";
    status = 0;
  }

  /** Fields are not read: an interim answer ends with an empty line. */
  function readFields(octet: number): void {
    if (octet === CR) return;
    if (octet !== LF) column += 1;
    else if (column > 0) column = 0;
    else place = "before";
  }
}

/** The part of an unasked piece that is looked at, in bytes. */
const LOOKED_AT_BYTES = 64;

/** True if an unasked piece has more than line ends, and is no 408, by which a server says that it closes an idle connection. */
export function isUnaskedAnswer(piece: Buffer): boolean {
  const text = piece.toString("latin1", 0, LOOKED_AT_BYTES).trimStart();
  return text !== "" && !/^HTTP\/1\.\d 408/.test(text);
}

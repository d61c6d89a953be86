// The results of reading one line of a list of members, in any format.

import type { Member } from "@postrider/core";

export type LineResult =
  | { readonly kind: "member"; readonly member: Member | string }
  /** The line gives no member: it is empty, a header, a part of a record, or a user without a value. */
  | { readonly kind: "nothing" }
  | BadLine;

export interface BadLine {
  readonly kind: "refused";
  /** From 1. */
  readonly line: number;
  readonly expected: string;
}

/**
 * Reads a list line by line; `number` counts from 1. `text` has no line feed at its end, but may have a carriage
 * return.
 */
export interface LineReader {
  read(text: string, number: number): LineResult;
  /** The error if the list ends here; undefined if it is complete. */
  end(): BadLine | undefined;
}

export const NO_MEMBER: LineResult = { kind: "nothing" };

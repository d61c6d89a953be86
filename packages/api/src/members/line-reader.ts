// What a line of a list of members may turn out to be.

import type { Member } from "@postrider/core";

export type ReadLine =
  | { readonly kind: "member"; readonly member: Member | string }
  /** An empty line, a header, the middle of a record, a user without a value. */
  | { readonly kind: "nothing" }
  | BadLine;

export interface BadLine {
  readonly kind: "bad";
  /** From 1. */
  readonly line: number;
  readonly expected: string;
}

/** Reads line by line; `number` is from 1, and an end of line is not part of one, but for a carriage return. */
export interface LineReader {
  read(text: string, number: number): ReadLine;
  /** What is wrong with the end, if anything. */
  end(): BadLine | undefined;
}

export const NOTHING: ReadLine = { kind: "nothing" };

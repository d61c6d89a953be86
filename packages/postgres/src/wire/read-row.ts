// Reads the columns of a row, all of which come as text: numbers as digits, bytes as hex. Digits that are no safe integer are `corrupt`,
// and so is a null where there must be none. Flags and hex are taken as they are.

import { createStoreError } from "@postrider/core";
import { decodeStoredText } from "./text.js";

/** A row, every value of which is text. */
export type TextRow = Readonly<Record<string, string | null>>;

/** A column of a number. */
export function readDigits(row: TextRow, name: string): number {
  return readOptionalDigits(row, name) ?? refuse(name);
}

/** A column of a number that may be null. */
export function readOptionalDigits(row: TextRow, name: string): number | undefined {
  const text = row[name] ?? undefined;
  if (text === undefined) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : refuse(name);
}

/** A column of type `bytea`. */
export function readBytes(row: TextRow, name: string): Buffer {
  return readOptionalBytes(row, name) ?? refuse(name);
}

/** A column of type `bytea` that may be null. */
export function readOptionalBytes(row: TextRow, name: string): Buffer | undefined {
  const text = row[name] ?? undefined;
  return text === undefined ? undefined : fromHex(text);
}

/** A column of type `bytea` that holds a text. */
export function readBytesText(row: TextRow, name: string): string {
  return decodeStoredText(readBytes(row, name));
}

/** A column of type `bytea` that holds a text, or null. */
export function readOptionalBytesText(row: TextRow, name: string): string | undefined {
  const bytes = readOptionalBytes(row, name);
  return bytes && decodeStoredText(bytes);
}

/** A column of type `text`; empty if it is null. */
export function readTextOrEmpty(row: TextRow, name: string): string {
  return row[name] ?? "";
}

/** A column of type `boolean`; false if it is null. */
export function readFlag(row: TextRow, name: string): boolean {
  return row[name] === "t" || row[name] === "true";
}

/** The items of a `bytea[]`; nulls are left out. */
export function readBytesArray(row: TextRow, name: string): readonly Buffer[] {
  const text = row[name] ?? "{}";
  return text
    .slice(1, -1)
    .split(",")
    .filter((item) => item !== "" && item !== "NULL")
    .map((item) => fromHex(item.replace(/^"\\?|"$/g, "")));
}

/** `\x` and two digits for each byte. */
function fromHex(text: string): Buffer {
  return Buffer.from(text.slice(2), "hex");
}

function refuse(name: string): never {
  throw createStoreError("corrupt", `PostgreSQL: the column ${name} has an invalid value`);
}

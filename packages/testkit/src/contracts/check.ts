// Comparisons for the contract suites, by content: bytes are equal whichever class holds them, and an undefined field
// equals an absent one. So an adapter may return a Buffer.

import { describeDifference } from "./describe-difference.js";

/** Throws unless `actual` equals `expected`. `what` names the compared value. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [seen, wanted] = [toPlainJson(actual), toPlainJson(expected)];
  if (JSON.stringify(seen) !== JSON.stringify(wanted)) throw new Error(`${what}${describeDifference(wanted, seen)}`);
}

/** Throws `what` unless `holds` is true. */
export function expectThat(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

/** Returns the value; throws if it is undefined. */
export function expectPresent<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what}: undefined`);
  return value;
}

/** The value as plain JSON: bytes in hex, maps as lists of pairs, fields sorted by name. */
export function toPlainJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return `bytes ${Array.from(value, hex).join("")}`;
  if (value instanceof Map) return [...value].map(toPlainJson);
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, toPlainJson(field)]));
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

// Compares large values as `expectEqual` does, but writes neither of them as text unless they differ.

import { expectEqual } from "../../check.js";

/** Throws unless `actual` equals `expected`. `what` names the compared value. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (!isSame(actual, expected)) expectEqual(actual, expected, what);
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (one instanceof Map || other instanceof Map) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  if (one instanceof Uint8Array !== other instanceof Uint8Array) return false;
  return areFieldsSame(one as Fields, other as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

/** An absent field equals an undefined one. */
function areFieldsSame(one: Fields, other: Fields): boolean {
  const names = Object.keys(one);
  return (
    names.every((name) => isSame(one[name], other[name])) &&
    Object.keys(other).every((name) => name in one || other[name] === undefined)
  );
}

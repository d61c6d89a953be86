// Comparisons for the contract suites, by content: bytes are equal whichever class holds them, and an undefined field
// equals an absent one, so an adapter may return a Buffer. A failure says in a few lines where values differ.

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

/** The code of the rejection, or the rejected value if it has none; undefined if the promise was not rejected. */
export async function rejectionCodeOf(promise: Promise<unknown>): Promise<unknown> {
  const rejected = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const error = rejected?.error;
  return error instanceof Error && "code" in error ? error.code : error;
}

/** Differences beyond these are only counted, so that a failure fits on a screen. */
const MAX_LINES = 8;

/** A value whose JSON is not longer is shown whole. */
const SHORT = 80;

/** The number of characters shown of a long text, from its first difference on. */
const SHOWN = 40;

/** Lines that say what was expected and what was seen. */
function describeDifference(expected: unknown, actual: unknown): string {
  const [wanted, found] = [write(expected), write(actual)];
  if (wanted.length <= SHORT && found.length <= SHORT) return `\n  expected: ${wanted}\n  but saw:  ${found}`;
  const lines = differences("", expected, actual);
  const more = lines.length - MAX_LINES;
  const visibleLines = more > 1 ? [...lines.slice(0, MAX_LINES), `and ${String(more)} more differences`] : lines;
  return visibleLines.map((line) => `\n  ${line}`).join("");
}

function differences(path: string, expected: unknown, actual: unknown): readonly string[] {
  if (write(expected) === write(actual)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) return inLists(path, expected, actual);
  if (isObject(expected) && isObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...names].flatMap((name) => differences(`${path}.${name}`, expected[name], actual[name]));
  }
  return [at(path, pairOf(expected, actual))];
}

function inLists(path: string, expected: readonly unknown[], actual: readonly unknown[]): readonly string[] {
  if (![...expected, ...actual].some((item) => typeof item === "object" && item !== null))
    return inPlainLists(path, expected.map(write), actual.map(write));
  const length = Math.max(expected.length, actual.length);
  const size = expected.length === actual.length ? [] : [at(path, sizesOf(expected, actual))];
  const items = Array.from({ length }, (_, index) =>
    differences(`${path}[${String(index)}]`, expected[index], actual[index]),
  );
  return [...size, ...items.flat()];
}

/** In a list of ids or numbers one that is missing moves all that follow: so what is missing is said, not each place. */
function inPlainLists(path: string, expected: readonly string[], actual: readonly string[]): readonly string[] {
  const [missing, more] = [without(expected, actual), without(actual, expected)];
  if (missing.length + more.length === 0) {
    const place = expected.findIndex((item, index) => item !== actual[index]);
    const [wanted = "", found = ""] = [expected[place], actual[place]];
    return [at(path, `the same in another order: at ${String(place)} expected ${cut(wanted)}, but saw ${cut(found)}`)];
  }
  const size = expected.length === actual.length ? [] : [at(path, sizesOf(expected, actual))];
  return [
    ...size,
    ...missing.map((item) => at(path, `missing: ${cut(item)}`)),
    ...more.map((item) => at(path, `not expected: ${cut(item)}`)),
  ];
}

/** The items of a list that another has not, or has less often. */
function without(items: readonly string[], others: readonly string[]): readonly string[] {
  const remaining = new Map<string, number>();
  for (const text of others) remaining.set(text, (remaining.get(text) ?? 0) + 1);
  return items.filter((item) => {
    const count = remaining.get(item) ?? 0;
    remaining.set(item, count - 1);
    return count <= 0;
  });
}

function sizesOf(expected: readonly unknown[], actual: readonly unknown[]): string {
  return `expected ${String(expected.length)}, but saw ${String(actual.length)}`;
}

function pairOf(expected: unknown, actual: unknown): string {
  const [wanted, found] = [write(expected), write(actual)];
  if (typeof expected !== "string" || typeof actual !== "string" || wanted.length + found.length <= 2 * SHOWN)
    return `expected ${cut(wanted)}, but saw ${cut(found)}`;
  const equal = countEqual(expected, actual);
  const areBytes = expected.startsWith(BYTES) && actual.startsWith(BYTES);
  return areBytes ? bytesPairOf(expected, actual, equal) : textPairOf(expected, actual, equal);
}

function textPairOf(expected: string, actual: string, equal: number): string {
  const [one, other] = [expected, actual].map(
    (text) => `${cut(write(text.slice(equal)))} (${String(text.length)} in all)`,
  );
  return `after ${String(equal)} equal characters expected ${one ?? ""}, but saw ${other ?? ""}`;
}

/** The prefix of bytes that are written as text; two digits follow for each byte. */
const BYTES = "bytes ";

function bytesPairOf(expected: string, actual: string, equal: number): string {
  const bytes = Math.floor((equal - BYTES.length) / 2);
  const [one, other] = [expected, actual].map((text) => {
    const remainder = text.slice(BYTES.length + 2 * bytes);
    return `${remainder === "" ? "no more" : cut(remainder)} (${String((text.length - BYTES.length) / 2)} in all)`;
  });
  return `after ${String(bytes)} equal bytes expected ${one ?? ""}, but saw ${other ?? ""}`;
}

function countEqual(one: string, other: string): number {
  let equal = 0;
  while (equal < one.length && one[equal] === other[equal]) equal += 1;
  return equal;
}

function cut(text: string): string {
  return text.length <= 2 * SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

function at(path: string, what: string): string {
  return path === "" ? what : `${path}: ${what}`;
}

function write(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Comparisons for the contract suites, by content: bytes are equal whichever class holds them, and an undefined field
// equals an absent one, so an adapter may return a Buffer. A failure says in a few lines where values differ.

/** Throws unless `actual` equals `expected`. `what` names the compared value. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [actualJson, expectedJson] = [toPlainJson(actual), toPlainJson(expected)];
  if (JSON.stringify(actualJson) === JSON.stringify(expectedJson)) return;
  throw new Error(`${what}${describeDifference(expectedJson, actualJson)}`);
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
  const entries = Object.entries(value).toSorted(([first], [second]) => (first < second ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, toPlainJson(field)]));
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

/** The code of the rejection, or the rejected value if it has none; undefined if the promise was not rejected. */
export async function rejectionCodeOf(promise: Promise<unknown>): Promise<unknown> {
  const rejection = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const error = rejection?.error;
  return error instanceof Error && "code" in error ? error.code : error;
}

/** Differences beyond these are only counted, so that a failure fits on a screen. */
const MAX_LINES = 8;

/** A value whose JSON is not longer is shown whole. */
const SHORT = 80;

/** The number of characters shown of a text that is longer than twice this, from its first difference on. */
const SHOWN = 40;

/** Lines that say what was expected and what was seen. */
function describeDifference(expected: unknown, actual: unknown): string {
  const [expectedText, actualText] = [write(expected), write(actual)];
  if (expectedText.length <= SHORT && actualText.length <= SHORT)
    return `\n  expected: ${expectedText}\n  but saw:  ${actualText}`;
  const lines = differences("", expected, actual);
  const hiddenCount = lines.length - MAX_LINES;
  const visibleLines =
    hiddenCount > 1 ? [...lines.slice(0, MAX_LINES), `and ${String(hiddenCount)} more differences`] : lines;
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

/** One missing id or number moves all that follow, so the missing ones are reported, not each place that differs. */
function inPlainLists(path: string, expected: readonly string[], actual: readonly string[]): readonly string[] {
  const [missing, unexpected] = [without(expected, actual), without(actual, expected)];
  if (missing.length + unexpected.length === 0) {
    const place = expected.findIndex((item, index) => item !== actual[index]);
    const [expectedText = "", actualText = ""] = [expected[place], actual[place]];
    return [
      at(
        path,
        `the same in another order: at ${String(place)} expected ${cut(expectedText)}, but saw ${cut(actualText)}`,
      ),
    ];
  }
  const size = expected.length === actual.length ? [] : [at(path, sizesOf(expected, actual))];
  return [
    ...size,
    ...missing.map((item) => at(path, `missing: ${cut(item)}`)),
    ...unexpected.map((item) => at(path, `not expected: ${cut(item)}`)),
  ];
}

/** The items that `others` lacks, or has less often. */
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
  const [expectedText, actualText] = [write(expected), write(actual)];
  if (
    typeof expected !== "string" ||
    typeof actual !== "string" ||
    expectedText.length + actualText.length <= 2 * SHOWN
  )
    return `expected ${cut(expectedText)}, but saw ${cut(actualText)}`;
  const equal = countEqual(expected, actual);
  const areBytes = expected.startsWith(BYTES) && actual.startsWith(BYTES);
  return areBytes ? bytesPairOf(expected, actual, equal) : textPairOf(expected, actual, equal);
}

function textPairOf(expected: string, actual: string, equal: number): string {
  const [expectedEnd, actualEnd] = [expected, actual].map(
    (text) => `${cut(write(text.slice(equal)))} (${String(text.length)} in all)`,
  );
  return `after ${String(equal)} equal characters expected ${expectedEnd ?? ""}, but saw ${actualEnd ?? ""}`;
}

/** The prefix of bytes that are written as text; two digits follow for each byte. */
const BYTES = "bytes ";

function bytesPairOf(expected: string, actual: string, equal: number): string {
  const bytes = Math.floor((equal - BYTES.length) / 2);
  const [expectedEnd, actualEnd] = [expected, actual].map((text) => {
    const remainder = text.slice(BYTES.length + 2 * bytes);
    return `${remainder === "" ? "no more" : cut(remainder)} (${String((text.length - BYTES.length) / 2)} in all)`;
  });
  return `after ${String(bytes)} equal bytes expected ${expectedEnd ?? ""}, but saw ${actualEnd ?? ""}`;
}

function countEqual(expected: string, actual: string): number {
  let equal = 0;
  while (equal < expected.length && expected[equal] === actual[equal]) equal += 1;
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

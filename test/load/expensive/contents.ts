// JSON objects that are expensive to read for their length: many containers, many keys, a different shape for each object,
// texts that must be escaped or counted, numbers that are longer when they are written than when they are sent.

/** One for each way in which JSON is expensive. */
export const CONTENT_NAMES = [
  "lists",
  "objects",
  "deep lists",
  "a key for each value",
  "indexes as keys",
  "one long key",
  "the same key again and again",
  "names that objects inherit",
  "a shape for each object",
  "escapes",
  "lone surrogates",
  "pairs of surrogates",
  "one long text whose last character is not ASCII",
  "short texts that are not ASCII",
  "numbers that are written longer",
  "numbers of 300 digits",
  "one text",
] as const;

export type ContentName = (typeof CONTENT_NAMES)[number];

/** As JSON of at most this many bytes, both as it is sent and as it is written again. */
export function contentOf(name: ContentName, bytes: number): string {
  const text = write(name, bytes);
  const written = Buffer.byteLength(JSON.stringify(JSON.parse(text)));
  return written <= bytes ? text : write(name, Math.floor((bytes * bytes) / written) - SLACK_BYTES);
}

const SLACK_BYTES = 64;
const INHERITED = '{"__proto__":{"constructor":1},"toString":2,"hasOwnProperty":3,"toJSON":4,"then":5}';
const CHAIN_LEVELS = 48;

function write(name: ContentName, bytes: number): string {
  const within = Math.max(bytes, SLACK_BYTES);
  switch (name) {
    case "lists":
      return list(within, () => "[]");
    case "objects":
      return list(within, () => "{}");
    case "deep lists":
      return list(within, () =>
        within < 4 * CHAIN_LEVELS ? "[]" : "[".repeat(CHAIN_LEVELS) + "]".repeat(CHAIN_LEVELS),
      );
    case "a key for each value":
      return fill("{", (index) => `"k${index.toString(36)}":0`, "}", within);
    case "indexes as keys":
      return fill("{", (index) => `"${String(900_000_000 - index * 7_919)}":0`, "}", within);
    case "one long key":
      return `{"${"k".repeat(within - '{"":0}'.length)}":0}`;
    case "the same key again and again":
      return fill("{", () => '"a":[0]', "}", within);
    case "names that objects inherit":
      return list(within, () => (within < 2 * INHERITED.length ? "{}" : INHERITED));
    case "a shape for each object":
      return list(within, (index) => `{"k${index.toString(36)}":0}`);
    case "escapes":
      return text(within, "\\u0001");
    case "lone surrogates":
      return text(within, "\\ud83d");
    case "pairs of surrogates":
      return text(within, "😀");
    case "one long text whose last character is not ASCII":
      return `{"a":"${"x".repeat(within - '{"a":"é"}'.length - 1)}é"}`;
    case "short texts that are not ASCII":
      return list(within, () => '"é"');
    case "numbers that are written longer":
      return list(within, () => "1e20");
    case "numbers of 300 digits":
      return list(within, (index) => (within < 700 ? "0" : `0.${String(index % 9)}${"7".repeat(300)}`));
    case "one text":
      return text(within, "x");
  }
}

/** As many parts as fit, each followed by a comma except the last. */
export function fill(open: string, part: (index: number) => string, close: string, bytes: number): string {
  const parts: string[] = [];
  let left = bytes - Buffer.byteLength(open + close);
  for (let index = 0; ; index += 1) {
    const next = part(index);
    left -= Buffer.byteLength(next) + 1;
    if (left < -1) return open + parts.join(",") + close;
    parts.push(next);
  }
}

function list(bytes: number, part: (index: number) => string): string {
  return fill('{"a":[', part, "]}", bytes);
}

function text(bytes: number, unit: string): string {
  const count = Math.floor((bytes - '{"a":""}'.length) / Buffer.byteLength(unit));
  return `{"a":"${unit.repeat(count)}"}`;
}

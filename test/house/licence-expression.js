// Whether a licence is permissive, as its manifest states it: a name or an expression of SPDX. What cannot be read is not.

/** Licences that ask for no more than a notice. */
export const PERMISSIVE = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
];

/** A longer text is not read. */
const MAX_EXPRESSION_CHARACTERS = 200;

/**
 * The licence of a manifest, as one text. Older manifests have an object, or a list under `licenses`: any of these may be
 * chosen.
 *
 * @param {{ readonly license?: unknown, readonly licenses?: unknown }} manifest
 * @returns {string} empty if there is none
 */
export function statedLicence({ license, licenses }) {
  if (typeof license === "string") return license.trim();
  const listed = Array.isArray(licenses) ? licenses : [license];
  return listed
    .map((one) => (typeof one === "string" ? one : one?.type))
    .filter((one) => typeof one === "string")
    .join(" OR ");
}

/**
 * Whether `expression` can be kept by keeping permissive licences only. `OR` is a choice, `AND` binds closer.
 *
 * @param {string} expression - such as `MIT` or `(MIT OR GPL-3.0-only)`
 * @returns {boolean} false also for what is no expression of SPDX
 */
export function isPermissive(expression) {
  if (expression.length > MAX_EXPRESSION_CHARACTERS) return false;
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  const reader = { tokens, at: 0 };
  const found = readChoice(reader);
  return found === true && reader.at === tokens.length;
}

function readChoice(reader) {
  return readJoined(reader, "OR", readAll, (left, right) => left || right);
}

function readAll(reader) {
  return readJoined(reader, "AND", readOne, (left, right) => left && right);
}

/** `undefined` for a text that is no expression. */
function readJoined(reader, word, readPart, join) {
  let found = readPart(reader);
  while (found !== undefined && reader.tokens[reader.at] === word) {
    reader.at += 1;
    const next = readPart(reader);
    found = next === undefined ? undefined : join(found, next);
  }
  return found;
}

function readOne(reader) {
  const token = reader.tokens[reader.at];
  reader.at += 1;
  if (token !== "(") return token === undefined || /^(?:\)|AND|OR|WITH)$/.test(token) ? undefined : isNamed(token);
  const found = readChoice(reader);
  const isClosed = reader.tokens[reader.at] === ")";
  reader.at += 1;
  return isClosed ? found : undefined;
}

function isNamed(token) {
  return PERMISSIVE.includes(token);
}

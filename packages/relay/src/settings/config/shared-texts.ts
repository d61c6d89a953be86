// Decides which texts of a workspace may stand in a store that many servers read: references in place of secrets, write keys, values of
// headers and queries of URLs, or texts that only servers with the right key can open. References may lead only to names and files that are
// meant for them, since people who may put settings may not read all that a server can read (decision: settings in the store).

import type { Problem } from "@postrider/core";
import { isPlainObject, mapInSteps, pathTo, type Steps } from "@postrider/core/engine";

/** The text in place of one that is not shown. */
export const HIDDEN_TEXT = "(hidden)";

const REFERENCE = /^(?:env|file):/;
const SHARED_REFERENCE = /^(?:env:POSTRIDER_[A-Z0-9_]{1,64}|file:(?:\.\/)?(?:postrider-)?secrets\/\w[\w.-]{0,127})$/;
const SEALED = /^sealed:[\w-]{38,}$/;
const DIGEST = /^sha256:[\da-f]{64}$/;

const EXPECTED_REFERENCE = "env:POSTRIDER_NAME or file:postrider-secrets/NAME, which each server reads by itself";

/** The place of a secret text: its use, and its entry of the settings, such as `destinations crm`. */
export interface SecretPlace {
  readonly kind: "secret" | "header" | "url";
  readonly owner: string;
  readonly path: string;
}

/**
 * A problem for each text that must not stand in a document of the store, with what to write in its place. `allowedNames` are the names to which
 * references may lead; if absent, all of the right form. In steps of one entry.
 */
export function* findUnsharedTextsInSteps(
  document: unknown,
  allowedNames?: readonly string[],
): Steps<readonly Problem[]> {
  const problems: Problem[] = [];
  yield* mapTextsInSteps(document, (text, { path, kind }) => {
    const problem = isReferenceOrSealed(text) ? referenceProblem(text, kind, allowedNames) : plainProblem(text, kind);
    if (problem !== undefined) problems.push({ ...problem, path });
    return text;
  });
  return problems;
}

/** The value with each secret text in it hidden; references, digests of write keys and all else stay. In steps of one entry. */
export function* hideSecretTextsInSteps(document: unknown): Steps<unknown> {
  return yield* mapTextsInSteps(document, (text, { kind }) =>
    isReferenceOrSealed(text) || plainProblem(text, kind) === undefined ? text : HIDDEN_TEXT,
  );
}

/** A problem for each secret text that was hidden where the document was copied from. In steps of one entry. */
export function* findHiddenTextsInSteps(document: unknown): Steps<readonly Problem[]> {
  const problems: Problem[] = [];
  yield* mapTextsInSteps(document, (text, { path, kind }) => {
    if (kind !== "plain" && text === HIDDEN_TEXT) problems.push({ code: "missing", path, expected: NOT_HIDDEN });
    return text;
  });
  return problems;
}

const NOT_HIDDEN = "the text itself, or a reference to it: it was hidden where this was copied from";

/**
 * The value with each secret text in it replaced that stands there in plain, or is sealed; write keys, references and all else stay. In
 * steps of one entry.
 */
export function* mapSecretTextsInSteps(
  document: unknown,
  map: (text: string, place: SecretPlace) => string,
): Steps<unknown> {
  return yield* mapTextsInSteps(document, (text, { path, kind, owner }) => {
    if (kind === "plain" || kind === "write-key") return text;
    const isSecret = isSealed(text) || (!REFERENCE.test(text) && plainProblem(text, kind) !== undefined);
    return isSecret ? map(text, { path, kind, owner }) : text;
  });
}

/** True if a text is sealed, by its form alone. */
export function isSealed(text: string): boolean {
  return SEALED.test(text);
}

/** A reference, or a sealed text: both stand for a value. */
function isReferenceOrSealed(text: string): boolean {
  return REFERENCE.test(text) || isSealed(text);
}

/** The use of a text. */
type TextKind = "write-key" | "secret" | "header" | "url" | "plain";

interface PlacedText {
  readonly path: string;
  readonly kind: TextKind;
  readonly owner: string;
}

type MapText = (text: string, place: PlacedText) => string;

function referenceProblem(
  text: string,
  kind: TextKind,
  allowedNames: readonly string[] | undefined,
): Omit<Problem, "path"> | undefined {
  if (kind === "plain")
    return {
      code: "bad-reference",
      expected: "a value: a reference stands only for a key, a secret, a header or a URL",
    };
  if (isSealed(text) && kind !== "write-key") return undefined;
  if (!SHARED_REFERENCE.test(text)) return { code: "bad-reference", expected: EXPECTED_REFERENCE };
  return isAllowed(text, allowedNames) ? undefined : { code: "bad-reference", expected: EXPECTED_NAME };
}

const EXPECTED_NAME = "a name that settingsReferences in the config of this server lists";

/** A name that ends with `*` stands for all that begin like it. */
function isAllowed(reference: string, allowedNames: readonly string[] | undefined): boolean {
  const name = plainName(reference.replace(REFERENCE, ""));
  return (
    allowedNames
      ?.map(plainName)
      .some((allowed) => (allowed.endsWith("*") ? name.startsWith(allowed.slice(0, -1)) : name === allowed)) ?? true
  );
}

function plainName(name: string): string {
  return name.replace(/^\.\//, "");
}

function plainProblem(text: string, kind: TextKind): Omit<Problem, "path"> | undefined {
  switch (kind) {
    case "plain":
      return undefined;
    case "write-key":
      if (DIGEST.test(text)) return undefined;
      return { code: "plain-secret", expected: `sha256: and the digest of the key, or ${EXPECTED_REFERENCE}` };
    case "url":
      if (!text.includes("?")) return undefined;
      return {
        code: "plain-secret",
        expected: `a URL without a query, which may hold a key, or ${EXPECTED_REFERENCE}`,
      };
    case "secret":
    case "header":
      return { code: "plain-secret", expected: EXPECTED_REFERENCE };
  }
}

/** The value with each text in it replaced. Each item of a list in the outermost object is a step. */
function* mapTextsInSteps(value: unknown, map: MapText): Steps<unknown> {
  if (!isPlainObject(value)) return mapTexts(value, { path: "", kind: "plain", owner: "" }, map);
  const fields: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    const place = { path: pathTo("", key), kind: kindOf(key, "plain"), owner: key };
    const mapItem = (item: unknown, index: number): unknown =>
      mapTexts(item, { ...place, path: pathTo(place.path, index), owner: ownerOf(key, item) }, map);
    fields.push([key, Array.isArray(field) ? yield* mapInSteps(field, mapItem) : mapTexts(field, place, map)]);
  }
  return Object.fromEntries(fields);
}

function mapTexts(value: unknown, place: PlacedText, map: MapText): unknown {
  if (typeof value === "string") return map(value, place);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => mapTexts(item, { ...place, path: pathTo(place.path, index) }, map));
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).map(([key, field]): [string, unknown] => [
    key,
    mapTexts(field, { ...place, path: pathTo(place.path, key), kind: kindOf(key, place.kind) }, map),
  ]);
  return Object.fromEntries(fields);
}

/** The list and the id of an entry; the list alone if it has no id, as hooks. */
function ownerOf(key: string, item: unknown): string {
  const id = isPlainObject(item) ? item["id"] : undefined;
  return typeof id === "string" ? `${key} ${id}` : key;
}

const KINDS: ReadonlyMap<string, TextKind> = new Map([
  ["writeKey", "write-key"],
  ["sharedSecret", "secret"],
  ["headers", "header"],
  ["url", "url"],
] as const);

/** Below headers each text is the value of one, whatever its name. */
function kindOf(key: string, parent: TextKind): TextKind {
  return parent === "plain" ? (KINDS.get(key) ?? "plain") : parent;
}

// Reads a document of settings that servers share: checks what may stand in it, and resolves its references on this server (decision:
// settings in the store). Secrets in it are sealed for one purpose and one entry, and opened here (decision: sealed secrets).

import {
  decodeWorkspaceInSteps,
  findUnsharedTextsInSteps,
  isSealed,
  mapSecretTextsInSteps,
  type SecretPlace,
  type ServerSettings,
} from "@postrider/relay/settings";
import type { JsonObject, Random, Secret, Workspace } from "@postrider/core";
import { isPlainObject, type Steps } from "@postrider/core/engine";
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { checkWriteKeys } from "./check-keys.js";
import type { ConfigProblem } from "./config-problem.js";
import { ownSecrets } from "./own-secrets.js";
import { readExpandedInSteps, type ReadValue, type References } from "./read-expanded.js";

const SEALED_HERE = "a secret that was sealed for this place, with one of the sealingKeys of this server";

/** The prefix of a sealed text. */
const PREFIX = "sealed:";

const CIPHER = "aes-256-gcm";

const NONCE_BYTES = 12;

const TAG_BYTES = 16;

/** The keys of a config file that a document has. All others are of one machine. */
const SHARED_KEYS = ["sources", "destinations", "delivery", "retention", "notify"] as const;

/** `References` for a document, with the keys that open its sealed texts, the newest first. */
export interface DocumentReferences extends References {
  readonly sealingKeys?: () => readonly Secret[] | undefined;
  /** The names to which references may lead; all of the right form if absent. */
  readonly allowedNames?: () => readonly string[];
}

/**
 * The references of a document on this server. They lead only to what its config lists, and never to its tokens, its keys or the URL of its
 * database: otherwise a document could make the server send them to a receiver (decision: rights of callers).
 */
export function documentReferences(references: References, server: () => ServerSettings): DocumentReferences {
  return {
    ...references,
    sealingKeys: () => server().sealingKeys,
    allowedNames: () => server().settingsReferences ?? [],
    guarded: () => [...ownSecrets(server()), ...(references.guarded?.() ?? [])],
  };
}

/** The document with each plain secret in it sealed by the newest key; as it is if there is no key. In steps of one entry. */
export function* sealDocumentInSteps(
  document: unknown,
  { sealingKeys }: DocumentReferences,
  random: Pick<Random, "bytes">,
): Steps<unknown> {
  const key = sealingKeys?.()?.[0];
  if (key === undefined) return document;
  return yield* mapSecretTextsInSteps(document, (text, place) =>
    isSealed(text) ? text : sealText(text, place, key, random),
  );
}

/** The workspace of a document, or all problems. In steps of one entry. */
export function* readDocumentInSteps(document: unknown, references: DocumentReferences): Steps<ReadValue<Workspace>> {
  const unshared = yield* findUnsharedTextsInSteps(document, references.allowedNames?.());
  const unsharedPaths = new Set(unshared.map(({ path }) => path));
  const outcome = yield* readExpandedInSteps(document, references, (expanded) => openAndDecode(expanded, references));
  const otherProblems =
    outcome.kind === "refused" ? outcome.problems.filter(({ path }) => !unsharedPaths.has(path)) : [];
  const problems = [...unshared, ...otherProblems];
  return problems.length > 0 ? { kind: "refused", problems } : outcome;
}

/** Opens sealed texts only after references were expanded, so that an opened text is never taken for a reference. */
function* openAndDecode(expanded: unknown, { sealingKeys }: DocumentReferences): Steps<ReadValue<Workspace>> {
  const problems: ConfigProblem[] = [];
  const keys = sealingKeys?.() ?? [];
  const plainDocument = yield* mapSecretTextsInSteps(expanded, (text, place) => {
    if (!isSealed(text)) return text;
    const plain = openText(text, place, keys);
    if (plain === undefined) problems.push({ code: "missing", path: place.path, expected: SEALED_HERE });
    return plain ?? text;
  });
  return problems.length > 0 ? { kind: "refused", problems } : yield* decode(plainDocument);
}

function* decode(expanded: unknown): Steps<ReadValue<Workspace>> {
  const decoded = yield* decodeWorkspaceInSteps(expanded);
  if (decoded.kind === "refused") return decoded;
  const problems = yield* checkWriteKeys(decoded.value.sources);
  return problems.length > 0 ? { kind: "refused", problems } : decoded;
}

/** The keys of a document in a config file. */
export function sharedKeysIn(file: unknown): JsonObject {
  if (!isPlainObject(file)) return {};
  return Object.fromEntries(SHARED_KEYS.filter((key) => Object.hasOwn(file, key)).map((key) => [key, file[key]]));
}

/** A problem of the file for each key whose value differs in the document or is absent there. `where` names the document in words. */
export function differencesFrom(document: JsonObject, written: JsonObject, where: string): readonly ConfigProblem[] {
  return differentKeys(document, written).map((key) => ({
    code: "not-allowed",
    path: key,
    expected: `none here, or the same as in ${where}, which differs: remove it from this file, or put it into the store`,
  }));
}

/** A problem of the document for each key whose value differs in the file: with it, a server would not start again. */
export function lockedProblems(document: JsonObject, written: JsonObject): readonly ConfigProblem[] {
  return differentKeys(document, written).map((key) => ({
    code: "not-allowed",
    path: key,
    expected: `what the config file of this server has: remove ${key} from that file first, and reload it`,
  }));
}

function differentKeys(document: JsonObject, written: JsonObject): readonly string[] {
  return Object.keys(written).filter((key) => !isDeepStrictEqual(written[key], document[key]));
}

type Place = Pick<SecretPlace, "kind" | "owner">;

/** The text, sealed by AES-256-GCM with this key, so that a shared secret cannot be moved into a header or to another destination. */
export function sealText(text: string, place: Place, key: Secret, random: Pick<Random, "bytes">): string {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytesOf(key), nonce).setAAD(bindingOf(place));
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return PREFIX + sealed.toString("base64url");
}

/** The text in a sealed one; undefined if none of the keys opens it at this place. */
export function openText(sealed: string, place: Place, keys: readonly Secret[]): string | undefined {
  const bytes = Buffer.from(sealed.slice(PREFIX.length), "base64url");
  if (!sealed.startsWith(PREFIX) || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  for (const key of keys) {
    const text = openWith(key, bytes, place);
    if (text !== undefined) return text;
  }
  return undefined;
}

function openWith(key: Secret, bytes: Buffer, place: Place): string | undefined {
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
  const decipher = createDecipheriv(CIPHER, bytesOf(key), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bindingOf(place)).setAuthTag(tag);
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}

function bindingOf({ kind, owner }: Place): Buffer {
  return Buffer.from(`${kind}\n${owner}`);
}

/** A key of the length that the cipher needs, from a text of any length. */
function bytesOf(key: Secret): Buffer {
  return createHash("sha256").update(`postrider sealing key\n${key.reveal()}`).digest();
}

// Writes a value of a record as JSON, with marks for what JSON lacks, and reads it back. Decides what is private and
// becomes a stand-in, as calls, user ids and queries of URLs do; of a body only its length remains. Header values and
// secrets are never written; each is read as another one of a valid form.

import { createSecret } from "@postrider/core";
import type { StandIns } from "./stand-ins.js";

/** The fields of a call that decide what happens to it. */
const CALL_FIELDS: ReadonlySet<string> = new Set(["type", "messageId", "timestamp", "originalTimestamp", "sentAt"]);

/** `upTo` is where a snapshot of an audience ends, which is a user id. */
const PRIVATE_FIELDS: ReadonlySet<string> = new Set(["userId", "userIds", "traits", "members", "upTo", "actor"]);

const CALL_LISTS: ReadonlySet<string> = new Set(["calls", "call", "shared"]);

/** Questions and requests of which each text is private. */
const PRIVATE_QUESTIONS = /^(store[.]deletions[.])?suppressed$/;

/** Questions about members: the name of their set, which comes first, is not private, as it is not in other questions. */
const MEMBER_QUESTIONS = /^audiences[.](append|read|erase)$/;

/** The treatment of private values. */
export interface Scribe {
  /** Stand-ins for private texts and numbers; undefined: they are written as they are. */
  readonly standIns?: StandIns | undefined;
  /** True if bodies and excerpts are written, and not only their lengths. */
  readonly hasBodies: boolean;
}

type Privacy = "plain" | "call" | "private";

/** True if each text in the answer to a question is private. */
export function hasPrivateAnswer(question: string): boolean {
  return PRIVATE_QUESTIONS.test(question) || question === "audiences.read";
}

/** The arguments of a question or a request, as `encode` writes them. */
export function encodeArguments(question: string, args: readonly unknown[], scribe: Scribe): readonly unknown[] {
  const namesMembers = MEMBER_QUESTIONS.test(question);
  const isPrivate = PRIVATE_QUESTIONS.test(question);
  return args.map((arg, index) => encode(arg, scribe, isPrivate || (namesMembers && index > 0)));
}

/** The value as JSON can carry it; `decode` reads it. */
export function encode(value: unknown, scribe: Scribe, isPrivate = false): unknown {
  return encodeAs(value, scribe, isPrivate ? "private" : "plain");
}

function encodeAs(value: unknown, scribe: Scribe, privacy: Privacy): unknown {
  switch (typeof value) {
    case "string":
      return encodeText(value, scribe, privacy);
    case "number":
      return encodeNumber(value, scribe, privacy);
    case "boolean":
      return value;
    case "undefined":
      return { $: "undefined" };
    case "object":
      return value === null ? null : encodeObject(value, scribe, privacy);
    case "bigint":
    case "function":
    case "symbol":
      // It exists in its process alone, and is read as undefined.
      return { $: "live" };
  }
}

function encodeText(text: string, { standIns }: Scribe, privacy: Privacy): string {
  if (standIns === undefined) return text;
  if (privacy !== "plain") return standIns.text(text);
  return /^https?:[/][/]/.test(text) ? maskQuery(text, standIns) : text;
}

/** The normal form of a URL, with stand-ins for the values of its query, which often are keys. */
function maskQuery(text: string, standIns: StandIns): string {
  const at = text.indexOf("?");
  if (at === -1) return text;
  const url = URL.canParse(text) ? new URL(text).href : text;
  const query = url.slice(url.indexOf("?") + 1).replace(/(=|^|&)([^=&]+)(?=&|$)/g, (_, sign: string, part: string) => {
    return sign + standIns.text(part);
  });
  return `${url.slice(0, url.indexOf("?"))}?${query}`;
}

function encodeNumber(value: number, { standIns }: Scribe, privacy: Privacy): unknown {
  if (!Number.isFinite(value) || Object.is(value, -0)) return { $number: Object.is(value, -0) ? "-0" : String(value) };
  return privacy === "plain" || standIns === undefined ? value : standIns.number(value);
}

function encodeObject(value: object, scribe: Scribe, privacy: Privacy): unknown {
  const encodeInner = (inner: unknown): unknown => encodeAs(inner, scribe, privacy);
  if (value instanceof Uint8Array) return encodeBytes(value, scribe);
  if (Array.isArray(value)) return value.map(encodeInner);
  if (value instanceof Map) return { $map: [...value].map((entry) => entry.map(encodeInner)) };
  if (value instanceof Set) return { $set: [...value].map(encodeInner) };
  if (value instanceof Error) return { $error: encodeError(value) };
  if ("reveal" in value) return { $secret: true };
  return encodeFields(value, scribe, privacy);
}

function encodeBytes(bytes: Uint8Array, { hasBodies }: Scribe): unknown {
  return hasBodies ? { $base64: Buffer.from(bytes).toString("base64") } : { $bytes: bytes.length };
}

function encodeError(error: Error): object {
  const code: unknown = "code" in error ? error.code : undefined;
  return { message: error.message, ...(typeof code === "string" ? { code } : {}) };
}

function encodeFields(value: object, scribe: Scribe, privacy: Privacy): object {
  const encodedFields: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value) as (readonly [string, unknown])[]) {
    if (field === undefined) continue;
    const encoded = encodeField({ key, field, of: value }, scribe, privacy);
    // A name that begins like a mark; defined, so that a field named __proto__ stays a field.
    Object.defineProperty(encodedFields, key.startsWith("$") ? `$${key}` : key, { value: encoded, enumerable: true });
  }
  return encodedFields;
}

interface Field {
  readonly key: string;
  readonly field: unknown;
  readonly of: object;
}

function encodeField({ key, field, of }: Field, scribe: Scribe, privacy: Privacy): unknown {
  if (isHeaders(key, privacy)) return encodeHeaders(field);
  if (isRecordText(key, of, privacy)) return encodeJson(String(field), scribe);
  return encodeAs(field, scribe, privacyOf(key, field, privacy));
}

function privacyOf(key: string, field: unknown, privacy: Privacy): Privacy {
  if (privacy === "call") return CALL_FIELDS.has(key) && typeof field !== "object" ? "plain" : "private";
  if (privacy === "private") return "private";
  if (CALL_LISTS.has(key)) return "call";
  return PRIVATE_FIELDS.has(key) ? "private" : "plain";
}

function isHeaders(key: string, privacy: Privacy): boolean {
  return key === "headers" && privacy === "plain";
}

/** The text of a small record, as stores keep it. */
function isRecordText(key: string, of: object, privacy: Privacy): boolean {
  return key === "text" && privacy === "plain" && "kind" in of && "revision" in of;
}

/** Texts of records have fields, of which some are private: the record of an audience names users. */
function encodeJson(text: string, scribe: Scribe): unknown {
  try {
    return { $json: encode(JSON.parse(text), scribe) };
  } catch {
    return encode(text, scribe, true);
  }
}

/** Of a header the name and the length of the value. */
function encodeHeaders(field: unknown): unknown {
  if (!Array.isArray(field)) return null;
  return field.map((pair: unknown) => {
    const [name, value] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
    return [name, { $hidden: textOf(value).length }];
  });
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null && "reveal" in value) {
    return (value as { readonly reveal: () => string }).reveal();
  }
  return "";
}

/** Reads the values of one trace. */
export function createDecoder(): (value: unknown) => unknown {
  let secrets = 0;

  function decode(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(decode);
    const [first] = Object.keys(value);
    if (first?.startsWith("$") === true && !first.startsWith("$$")) {
      return decodeMark(first, (value as Readonly<Record<string, unknown>>)[first]);
    }
    const decodedFields: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(value) as (readonly [string, unknown])[]) {
      const name = key.startsWith("$$") ? key.slice(1) : key;
      Object.defineProperty(decodedFields, name, {
        value: decode(field),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return decodedFields;
  }

  function decodeMark(mark: string, value: unknown): unknown {
    switch (mark) {
      case "$bytes":
        return new Uint8Array(Number(value)).fill(0x20);
      case "$base64":
        return new Uint8Array(Buffer.from(String(value), "base64"));
      case "$json":
        return JSON.stringify(decode(value));
      case "$number":
        return Number(value);
      case "$hidden":
        return "x".repeat(Number(value));
      case "$secret":
        secrets += 1;
        return createSecret(`stand-in for secret ${String(secrets)}`);
      case "$map":
        return new Map(decode(value) as readonly (readonly [unknown, unknown])[]);
      case "$set":
        return new Set(decode(value) as readonly unknown[]);
      case "$error":
        return errorOf(value as { readonly message: string; readonly code?: string });
      case "$":
        return undefined;
    }
    return undefined;
  }

  return decode;
}

function errorOf({ message, code }: { readonly message: string; readonly code?: string }): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

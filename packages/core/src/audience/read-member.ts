// Decides whether a host's input is a member of an audience, or a value of a computed trait, that a call can carry (decision:
// audiences). Values are written again by `JSON.stringify`, so that the same value in other JSON text is no change.

import { checkJson } from "../intake/check-json.js";
import { checkSize } from "../intake/measure.js";
import { MAX_CALL_BYTES } from "../limits.js";
import { audienceCall } from "./audience-call.js";
import type { AudienceRecord } from "./audience.js";
import type { Member } from "./member.js";

/** The result of reading a member. `expected` describes a valid member in words, and never contains the input. */
type ReadMemberResult =
  { readonly kind: "ok"; readonly member: Member } | { readonly kind: "refused"; readonly expected: string };

/**
 * Reads a user id (a string) or a member `{ userId, value? }` with `value` as JSON text. Refuses an empty user id, a value
 * for an audience, and, for a computed trait, a value that is missing, null or not JSON. Refuses a member if the call about it
 * would be larger than 32,768 bytes.
 */
export function readMember(audience: AudienceRecord, input: unknown): ReadMemberResult {
  if (typeof input === "string") return readUser(audience, input);
  if (!isRecord(input)) return refuse("a user id, or a member");
  const { userId, value } = input;
  if (typeof userId !== "string") return refuse("userId: a string");
  if (value === undefined) return readUser(audience, userId);
  if (audience.kind === "audience") return refuse("no value: this is an audience");
  if (typeof value !== "string") return refuse("value: JSON text");
  return readValue(audience, userId, value);
}

function readUser(audience: AudienceRecord, userId: string): ReadMemberResult {
  if (audience.kind === "trait") return refuse("a member with a value: this is a computed trait");
  return checkFits(audience, { userId });
}

function readValue(audience: AudienceRecord, userId: string, text: string): ReadMemberResult {
  const parsed = parse(text);
  if (parsed === undefined) return refuse("value: JSON text");
  const refusal = checkJson({ traits: { [audience.key]: parsed.value } });
  if (refusal !== undefined) return refuse(refusal.expected);
  const value = JSON.stringify(parsed.value);
  // JSON also writes null for a number that is not finite, such as 1e400.
  if (value === "null") return refuse("a value that is not null; leave out a user without a value");
  return checkFits(audience, { userId, value });
}

function checkFits(audience: AudienceRecord, member: Member): ReadMemberResult {
  const { userId, value = "" } = member;
  if (userId === "") return refuse("a user id that is not empty");
  // A UTF-16 unit takes at most six bytes in JSON, and the rest of the call is small.
  if ((userId.length + value.length) * 6 < MAX_CALL_BYTES / 4) return { kind: "ok", member };
  const refusal = checkSize(JSON.stringify(audienceCall(audience, { kind: "entered", ...member })));
  return refusal === undefined ? { kind: "ok", member } : refuse(refusal.expected);
}

function refuse(expected: string): ReadMemberResult {
  return { kind: "refused", expected };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isRecord(input: unknown): input is Readonly<Record<"userId" | "value", unknown>> {
  return typeof input === "object" && input !== null;
}

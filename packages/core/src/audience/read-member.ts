// Decides whether a host's input is a member of an audience, or a value of a computed trait, that a call can carry (decision:
// audiences). Values are written again by `JSON.stringify`, so that different JSON text for the same value is no change.

import { checkJson } from "../intake/check-json.js";
import { checkSize } from "../intake/measure.js";
import { MAX_CALL_BYTES } from "../limits.js";
import { audienceCall } from "./audience-call.js";
import type { AudienceRecord } from "./audience.js";
import type { Member } from "./member.js";

/** The input is not a member; `expected` says in words what would be one. Never holds the input. */
export interface BadMember {
  readonly expected: string;
}

/**
 * Reads a user id (a string) or a member `{ userId, value? }` with `value` as JSON text. Fails if the user id is empty, if a
 * value is missing for a computed trait or present for an audience, or if the call would be larger than 32,768 bytes.
 */
export function readMember(audience: AudienceRecord, given: unknown): Member | BadMember {
  if (typeof given === "string") return readUser(audience, given);
  if (!isRecord(given)) return { expected: "a user id, or a member" };
  const { userId, value } = given;
  if (typeof userId !== "string") return { expected: "userId: a text" };
  if (value === undefined) return readUser(audience, userId);
  if (audience.kind === "audience") return { expected: "no value: this is an audience" };
  if (typeof value !== "string") return { expected: "value: JSON text" };
  return readValue(audience, userId, value);
}

function readUser(audience: AudienceRecord, userId: string): Member | BadMember {
  if (audience.kind === "trait") return { expected: "a member with a value: this is a computed trait" };
  return checkFits(audience, { userId });
}

function readValue(audience: AudienceRecord, userId: string, text: string): Member | BadMember {
  const parsed = parse(text);
  if (parsed === undefined) return { expected: "value: JSON text" };
  if (parsed.value === null) return { expected: "a value that is not null: a user without one is left out" };
  const refusal = checkJson({ traits: { [audience.key]: parsed.value } });
  if (refusal !== undefined) return { expected: refusal.expected };
  return checkFits(audience, { userId, value: JSON.stringify(parsed.value) });
}

function checkFits(audience: AudienceRecord, member: Member): Member | BadMember {
  const { userId, value = "" } = member;
  if (userId === "") return { expected: "a user id that is not empty" };
  // A UTF-16 unit takes at most six bytes in JSON, and the rest of the call is small.
  if ((userId.length + value.length) * 6 < MAX_CALL_BYTES / 4) return member;
  const refusal = checkSize(JSON.stringify(audienceCall(audience, { kind: "entered", ...member })));
  return refusal === undefined ? member : { expected: refusal.expected };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isRecord(given: unknown): given is Readonly<Record<"userId" | "value", unknown>> {
  return typeof given === "object" && given !== null;
}

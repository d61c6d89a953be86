// The refusal of a call: a stable code, the path in the call, and the expected value. A refusal must never contain the actual value, which
// may be personal data.

/** All codes of refusals. They are part of the HTTP API. */
export const REFUSAL_CODES = [
  "unknown-type",
  "not-an-object",
  "not-a-string",
  "id-not-string",
  "no-ids",
  "no-event",
  "no-group-id",
  "no-user-id",
  "no-previous-id",
  "bad-message-id",
  "number-not-finite",
  "too-deep",
  "too-large",
] as const;
/** A stable code for the rule that a call breaks. */
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** The reason for the refusal of a call: a code, the path in the call, and the expected value. Never the actual value. */
export interface Refusal {
  readonly code: RefusalCode;
  /**
   * The path within the call, such as `properties.items[0].price`. A key that is not an identifier is written as `["X-Team"]`.
   * Empty for the call itself.
   */
  readonly path: string;
  /** A correct value in words, such as "an object". */
  readonly expected: string;
}

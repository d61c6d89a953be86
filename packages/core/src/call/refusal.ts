// Why a call is refused: a stable code, where in the call, and what was expected there.
// Never the value that was found, which may be personal data.

/** Codes that concern one call. */
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
  "bad-timestamp",
  "bad-message-id",
  "number-not-finite",
  "too-deep",
  "too-large",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

export interface Refusal {
  readonly code: RefusalCode;
  /** Relative to the call, such as `properties.items[0].price`; other keys as `["X-Team"]`; empty for the call itself. */
  readonly path: string;
  /** What would have been right, in words, such as "an object". */
  readonly expected: string;
}

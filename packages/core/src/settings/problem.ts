// A problem of settings, or of a request of the host: a stable code, a path, and the expected value. A problem must never contain the
// actual value.

/** The stable code of an error in a setting. */
export type ProblemCode =
  | "missing"
  | "unknown-key"
  | "wrong-type"
  | "empty-id"
  | "duplicate-id"
  | "duplicate-write-key"
  | "empty-write-key"
  | "bad-write-key"
  | "unknown-source"
  | "duplicate-source"
  | "device-mode-not-offered"
  | "reserved-name"
  | "no-endpoints"
  | "too-many-endpoints"
  | "duplicate-endpoint"
  | "bad-url"
  | "url-too-long"
  | "url-credentials"
  | "url-fragment"
  | "too-many-headers"
  | "duplicate-header"
  | "bad-header-name"
  | "bad-header-value"
  | "reserved-header"
  | "empty-secret"
  | "plain-secret"
  | "bad-reference"
  | "not-positive"
  | "below-minimum"
  | "too-few"
  | "too-many"
  | "too-deep"
  | "bad-user-id"
  | "not-allowed";

/** An error in settings: a code, the path, and the expected value. Never the actual value. */
export interface Problem {
  readonly code: ProblemCode;
  /** The path from the root of the settings or of the request, such as `destinations[0].endpoints[1].url`. */
  readonly path: string;
  /** A correct value, in words. */
  readonly expected: string;
}

/** The problem of a setting at a path. */
export function problem(code: ProblemCode, path: string, expected: string): Problem {
  return { code, path, expected };
}

// The assertion of every rule of the house. A failure prints each violation on a line: the place, and what to do there.

/** Fails with all violations, each such as `packages/core/src/fooBar.ts: rename to kebab-case: foo-bar.ts`. */
export function expectNone(violations: readonly string[]): void {
  if (violations.length === 0) return;
  const error = new Error([`${String(violations.length)} to mend:`, ...violations].join("\n  "));
  // So that the report shows the rule, and not this line.
  Error.captureStackTrace(error, expectNone);
  throw error;
}

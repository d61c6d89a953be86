// The reason in words of what was thrown, for a log entry or a person.

/** The message of an error; what is thrown may be no error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown fault";
}

// How a promise was rejected.

/** The code that it was rejected with, or what it was rejected with instead; undefined if it was not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  const rejected = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const error = rejected?.error;
  return error instanceof Error && "code" in error ? error.code : error;
}

// The code of a rejected promise.

/** The code of the rejection, or the rejected value if it has none; undefined if the promise was not rejected. */
export async function rejectionCodeOf(promise: Promise<unknown>): Promise<unknown> {
  const rejected = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const error = rejected?.error;
  return error instanceof Error && "code" in error ? error.code : error;
}

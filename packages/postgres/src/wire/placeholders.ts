// The places of the values of a query.

/** `$1, $2` and so on, as many as there are values. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${String(index + 1)}`).join(", ");
}

// Limits as PostgreSQL's `integer`: a caller that means all may ask for more than that holds.

/** Room for one more, by which a page sees that there is a next one. */
const MAX_LIMIT = 2_147_483_646;

/** The limit, or the largest that the database takes. */
export function toLimit(limit: number): number {
  return Math.min(limit, MAX_LIMIT);
}

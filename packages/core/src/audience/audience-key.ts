// Derives the trait key of an audience from its name: the snake_case form (spec, webhook destination §1; decision: audience
// keys). The key is fixed when the audience is created, so the same name must always give the same key.

/** The key of a new audience, or why its name gives none. */
type AudienceKeyResult =
  | { readonly kind: "ok"; readonly key: string }
  /** The name has no letter and no digit. */
  | { readonly kind: "refused"; readonly reason: "empty" }
  /** Another audience already has this key. */
  | { readonly kind: "refused"; readonly reason: "taken"; readonly key: string };

/** The key of a new audience; `takenKeys` holds the keys of all existing audiences. */
export function audienceKey(name: string, takenKeys: ReadonlySet<string>): AudienceKeyResult {
  const key = snakeCase(name);
  if (key === "") return { kind: "refused", reason: "empty" };
  return takenKeys.has(key) ? { kind: "refused", reason: "taken", key } : { kind: "ok", key };
}

/**
 * Lower case. Each run of characters other than letters, combining marks and digits becomes one underscore; underscores at
 * both ends are removed. Empty if nothing is left.
 */
export function snakeCase(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
}

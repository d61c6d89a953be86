// The name of an audience as the key of a trait: its snake_case form (spec, webhook destination §1; decision: audience
// keys). Fixed when the audience is created, so the same name must always give the same key.

export type AudienceKey =
  | { readonly kind: "key"; readonly key: string }
  /** The name holds no letter and no digit. */
  | { readonly kind: "refused"; readonly reason: "empty" }
  /** Another audience has this key already. */
  | { readonly kind: "refused"; readonly reason: "taken"; readonly key: string };

/** The key of a new audience; `taken` are the keys that stand. */
export function audienceKey(name: string, taken: ReadonlySet<string>): AudienceKey {
  const key = snakeCase(name);
  if (key === "") return { kind: "refused", reason: "empty" };
  return taken.has(key) ? { kind: "refused", reason: "taken", key } : { kind: "key", key };
}

/** Lower case; every run of anything but letters, their marks and digits becomes one underscore, none at the ends. */
export function snakeCase(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
}

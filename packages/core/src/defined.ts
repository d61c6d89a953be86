// Drops undefined properties: under `exactOptionalPropertyTypes`, an optional property may be absent, but not undefined.

/** `T`, where each property that may be undefined may be absent instead. */
type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** The own properties of `fields` whose value is not undefined, in the same order. Spread the result into an object. */
export function defined<T extends object>(fields: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const value: unknown = fields[key as keyof T];
    if (value !== undefined) result[key] = value;
  }
  return result as Defined<T>;
}

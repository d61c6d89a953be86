// Drops undefined properties: under `exactOptionalPropertyTypes`, an optional property may be absent, but not undefined.

/** `T` with each property that may be undefined as one that may be absent. */
export type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** The own properties of `fields` whose value is not undefined, in the same order. Made to be spread into an object. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

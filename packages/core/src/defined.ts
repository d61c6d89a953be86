// Leaves out what is absent: under `exactOptionalPropertyTypes`, a property that may be absent must not be there as undefined.

/** `T` with each property that may be undefined as one that may be absent. */
export type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** The own properties of `fields` whose value is not undefined, in the same order. To be spread into an object. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

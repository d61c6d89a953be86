// Types with which the compiler finds a field of core that a flat packing leaves out. Knows no packing.

/** The names of the fields of `T`; of all its members if it is a union. */
type FieldOf<T> = T extends unknown ? keyof T : never;

/**
 * `T` if `Names` are all its fields, otherwise `never`. A parameter of this type compiles only as long as its function names all
 * fields that there are in core.
 */
export type AllFields<T, Names extends FieldOf<T>> = [FieldOf<T>] extends [Names] ? T : never;

/** `T` while it is being made: its optional fields are set if they are present. */
export type Unfinished<T> = { -readonly [Name in keyof T]: T[Name] };

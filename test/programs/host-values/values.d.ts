/** By the words of a test: makes the value. */
export const LIBRARY_VALUES: Readonly<Record<string, () => unknown>>;

// The types of options.js, for its tests.

export type Asked =
  | { readonly kind: "help" }
  | { readonly kind: "set-version"; readonly version: string }
  | { readonly kind: "publish"; readonly registry: string; readonly isDry: boolean }
  | { readonly kind: "refused"; readonly reason: string };

export const HELP: string;

export function readOptions(words: readonly string[]): Asked;

// The types of licence-expression.js, for its tests.

export const PERMISSIVE: readonly string[];

export function statedLicence(manifest: { readonly license?: unknown; readonly licenses?: unknown }): string;

export function isPermissive(expression: string): boolean;

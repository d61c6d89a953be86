// The types of publish.js, for its tests.

export function hasProvenance(env: Readonly<Record<string, string | undefined>>, registry: string): boolean;

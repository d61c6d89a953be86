export const BUNDLER_NAMES: readonly string[];

export function bundlePage(bundler: string, page: "client" | "durable" | "indexeddb"): Promise<string>;

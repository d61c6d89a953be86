export type Bundle = (file: string, target: "browser" | "node" | "worker") => Promise<string>;

export const BUNDLER_NAMES: readonly string[];

export function bundlePage(bundler: string, page: "client" | "durable" | "indexeddb"): Promise<string>;

export function pageFile(page: "client" | "durable" | "indexeddb"): string;

// Reads the version of this package from its package.json, which is beside both src and dist.

import { readFileSync } from "node:fs";

export function readVersion(): string {
  const file = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(file) as { readonly version: string };
  return version;
}

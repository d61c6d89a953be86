// Config files for tests: a valid one in a new folder, and changes to it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { WRITE_KEY } from "../canary.js";

/** The settings of a config that differ from the default. */
export interface ConfigJson {
  [key: string]: unknown;
}

/** A config with one source and one destination, in memory, on a free port. */
export function configJson(changes: ConfigJson = {}): ConfigJson {
  return {
    listen: { host: "127.0.0.1", port: 0 },
    store: "memory:",
    sources: [{ id: "website", writeKey: WRITE_KEY }],
    destinations: [{ id: "crm", sources: ["website"], endpoints: [{ url: "http://127.0.0.1:9/hook" }] }],
    network: { allow: ["127.0.0.0/8"] },
    ...changes,
  };
}

/** A folder that is removed after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "postrider-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a config, or any text, and returns its path. */
export function writeConfig(content: ConfigJson | string, folder: string = tempFolder()): string {
  const file = join(folder, "postrider.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

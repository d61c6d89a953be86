// Loads a SQLite driver: the one built into Node if its SQLite is new enough, otherwise the optional peer
// `@photostructure/sqlite`, which the program brings and another host installs. `isUsableSqliteVersion` decides which SQLite
// is new enough.

import { isUsableSqliteVersion, type SqliteDatabase } from "../index.js";
import { createRequire } from "node:module";
import { codeOf, createOpenError } from "./open-error.js";

export interface Driver {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean }) => SqliteDatabase;
}

const OPTIONAL = "@photostructure/sqlite";

/** The name of the driver to load. `builtIn`: the version of the SQLite library in Node, if Node has one. */
export function chooseDriver(builtIn: string | undefined): "node:sqlite" | "@photostructure/sqlite" {
  return builtIn !== undefined && isUsableSqliteVersion(builtIn) ? "node:sqlite" : OPTIONAL;
}

/**
 * Loads one driver, not both, since the driver of Node prints a warning when it is loaded. Throws an `OpenError` that
 * says why if neither driver can be used.
 */
export function loadDriver(): Driver {
  const version = process.versions["sqlite"];
  if (chooseDriver(version) === "node:sqlite") {
    // Undefined if Node was built or started without the module `node:sqlite`.
    const builtIn: object | undefined = process.getBuiltinModule("node:sqlite");
    if (isDriver(builtIn)) return builtIn;
  }
  const optional = loadOptional(version);
  if (!isDriver(optional)) throw createOpenError("driver-missing", `${OPTIONAL} has no DatabaseSync`);
  return optional;
}

function loadOptional(builtIn: string | undefined): unknown {
  const load = createRequire(import.meta.url);
  try {
    return load("@photostructure/sqlite");
  } catch (error) {
    throw createOpenError("driver-missing", adviceFor(error, builtIn), error);
  }
}

/** Names the missing module or version, and the remedy. */
function adviceFor(error: unknown, builtIn: string | undefined): string {
  const { lack, remedy } = lackOf(builtIn);
  const problem =
    codeOf(error) === "MODULE_NOT_FOUND" ? `${OPTIONAL} is not installed` : `${OPTIONAL} cannot be loaded`;
  return (
    `the SQLite driver ${problem}, and Node ${process.versions.node} ${lack}: ` +
    `run npm install ${OPTIONAL}@${TESTED}, or use a Node ${remedy}`
  );
}

/** The reason for which the SQLite of this Node is not used, and the kind of Node that would do. */
function lackOf(builtIn: string | undefined): { readonly lack: string; readonly remedy: string } {
  const remedy = "with SQLite 3.51.3 or later";
  if (builtIn === undefined) return { lack: "has no SQLite", remedy };
  if (chooseDriver(builtIn) === OPTIONAL) return { lack: `has SQLite ${builtIn}, which cannot be used`, remedy };
  const lack = `has SQLite ${builtIn}, but not the module node:sqlite`;
  return { lack, remedy: "built and started with node:sqlite" };
}

/** The version of the optional driver that the program brings. */
const TESTED = "1.2.1";

function isDriver(module: unknown): module is Driver {
  return typeof module === "object" && module !== null && "DatabaseSync" in module;
}

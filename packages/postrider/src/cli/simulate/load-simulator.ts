// Loads the simulator when a scenario is played, and only then: a server is installed without that package (decision: optional
// simulator). If it is missing, the error says what to install.

import type { simulate } from "@postrider/simulator";
import { PROGRAM_VERSION } from "../../assembly/program-version.js";

export interface Simulator {
  readonly simulate: typeof simulate;
}

const OPTIONAL = "@postrider/simulator";

/** Rejects with an `Error` that names the package to install if it cannot be loaded. */
export async function loadSimulator(): Promise<Simulator> {
  try {
    return await import("@postrider/simulator");
  } catch (error) {
    throw new Error(adviceFor(error), { cause: error });
  }
}

/** Says what is wrong and what to do. All packages of Postrider have the same version. */
function adviceFor(error: unknown): string {
  const what = isAbsent(error) ? "is not installed" : `cannot be loaded (${reasonOf(error)})`;
  return `${OPTIONAL} ${what}: run npm install ${OPTIONAL}@${PROGRAM_VERSION}`;
}

/** Node quotes the package that it did not find, which may also be a dependency of the simulator. */
function isAbsent(error: unknown): boolean {
  const isNotFound = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  return isNotFound && error.message.includes(`'${OPTIONAL}'`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Writes the place of a value inside a JSON value as the path that errors show: `properties.items[0]["X-Team"]`. Keys may be
// as long as a call; therefore long paths are cut (decision: request cost).

import { MAX_PATH_LENGTH } from "../limits.js";
import { CUT_MARK, cutText } from "./cut-text.js";

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** The place of a value, as a list linked to the root. The path is written only when an error needs it. */
export interface Place {
  /** Undefined at the root. */
  readonly parent: Place | undefined;
  /** The key or index of the value in its parent. */
  readonly step: string | number;
}

/** The place of a whole value, whose path is empty. */
export const ROOT_PLACE: Place = { parent: undefined, step: "" };

/** The path of a place from the root; empty for the root itself. */
export function pathOf(place: Place): string {
  const steps: (string | number)[] = [];
  for (let at: Place = place; at.parent !== undefined; at = at.parent) steps.push(at.step);
  return steps.reduceRight<string>(pathTo, "");
}

/**
 * `parent` extended by one step, an index or a key. An empty parent is the root. A path of more than `MAX_PATH_LENGTH`
 * characters is cut and ends in `…`; a path that was cut is not extended.
 */
export function pathTo(parent: string, step: string | number): string {
  // Only a path that was cut ends in `…`: a key with that character is in quotes.
  if (parent.endsWith(CUT_MARK)) return parent;
  return cutText(parent + writeStep(parent, step), MAX_PATH_LENGTH);
}

function writeStep(parent: string, step: string | number): string {
  if (typeof step === "number") return `[${String(step)}]`;
  // The rest of a long key would be cut anyway, and quoting the whole key takes time.
  const key = step.slice(0, MAX_PATH_LENGTH + 1);
  if (!PLAIN_KEY.test(key)) return `[${JSON.stringify(key)}]`;
  return parent === "" ? key : `.${key}`;
}

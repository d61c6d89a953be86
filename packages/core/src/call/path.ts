// How a place inside a JSON value is written in errors: `properties.items[0]["X-Team"]`. Keys may be as long as a call,
// and an error must not be: a path is cut where it gets too long (decision: what a request may cost).

import { MAX_PATH_LENGTH } from "../limits.js";
import { CUT_MARK, cutText } from "./cut-text.js";

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** Where a value stands in one that is walked. It is written as a path only where it is told: most places never are. */
export interface Place {
  /** Undefined at the root. */
  readonly parent: Place | undefined;
  readonly step: string | number;
}

export const ROOT_PLACE: Place = { parent: undefined, step: "" };

/** The path from the root. */
export function pathOf(place: Place): string {
  const steps: (string | number)[] = [];
  for (let at: Place = place; at.parent !== undefined; at = at.parent) steps.push(at.step);
  return steps.reduceRight<string>(pathTo, "");
}

/**
 * `parent` extended by one step: an index or a key. An empty parent is the root. At most `MAX_PATH_LENGTH` characters;
 * one that is longer ends in `…`, and then stays as it is.
 */
export function pathTo(parent: string, step: string | number): string {
  // Only what is cut ends like this: no other path has such a character outside of quotes.
  if (parent.endsWith(CUT_MARK)) return parent;
  return cutText(parent + written(parent, step), MAX_PATH_LENGTH);
}

function written(parent: string, step: string | number): string {
  if (typeof step === "number") return `[${String(step)}]`;
  // What lies beyond could not be shown, and quoting it would cost as much as it is long.
  const key = step.slice(0, MAX_PATH_LENGTH + 1);
  if (!PLAIN_KEY.test(key)) return `[${JSON.stringify(key)}]`;
  return parent === "" ? key : `.${key}`;
}

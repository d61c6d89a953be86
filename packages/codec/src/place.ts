// Where a value stands in a document that is walked. It is written as a path only where it is told: most places never are.

import { pathTo } from "@postrider/core";

export interface Place {
  /** Undefined at the root. */
  readonly parent: Place | undefined;
  readonly step: string | number;
}

/** @internal */
export const ROOT: Place = { parent: undefined, step: "" };

/** The path from the root. @internal */
export function pathOf(place: Place): string {
  const steps: (string | number)[] = [];
  for (let at: Place = place; at.parent !== undefined; at = at.parent) steps.push(at.step);
  return steps.reduceRight<string>(pathTo, "");
}

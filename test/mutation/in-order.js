// Files in the order in which they are named, if they are named one by one.

import { relative } from "node:path";

/** Vitest constructs what this answers with. */
export function inOrder(paths) {
  return function createSequencer(vitest) {
    const placeOf = ({ moduleId }) => paths.indexOf(relative(vitest.config.root, moduleId));
    return {
      shard: (specs) => specs,
      sort: (specs) => specs.toSorted((one, other) => placeOf(one) - placeOf(other)),
    };
  };
}

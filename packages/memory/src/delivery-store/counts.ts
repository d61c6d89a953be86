// Reads the counters of all sources, at one moment.

import type { SourceCounts } from "@postrider/core";
import type { Contents } from "./contents.js";

export function counts(contents: Contents): readonly SourceCounts[] {
  return [...contents.counts].map(([source, row]) => ({ source, ...row }));
}

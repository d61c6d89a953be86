// Counts the calls in the outbox whose source is not in the settings, and tells of each such source once.

import type { SourceId } from "@postrider/core";
import type { EmitEvent } from "../relay-event.js";

export interface UnknownSources {
  /** Takes the calls of such a source on one page. */
  note(source: SourceId, calls: number): void;
  /** To be called at the end of a walk through the outbox. */
  tell(): void;
}

export function createUnknownSources(emit: EmitEvent): UnknownSources {
  const told = new Set<SourceId>();
  const walk = new Map<SourceId, number>();
  return {
    note: (source, calls): void => {
      walk.set(source, (walk.get(source) ?? 0) + calls);
    },
    tell: (): void => {
      for (const [source, calls] of walk) if (!told.has(source)) emit({ kind: "outbox-waits", source, calls });
      // Of sources that have left the outbox nothing is kept.
      for (const source of told) if (!walk.has(source)) told.delete(source);
      for (const source of walk.keys()) told.add(source);
      walk.clear();
    },
  };
}

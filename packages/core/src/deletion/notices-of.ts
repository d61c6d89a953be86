// Whom the notice of a deletion goes to: one delete message for each source concerned, to each of its destinations that
// is switched on (spec, webhook destination §1 and §6; decision: deletion). Integrations do not apply.

import type { DestinationId, SourceId } from "../ids.js";
import type { Workspace } from "../settings/workspace.js";

export interface Notice {
  readonly source: SourceId;
  /** At least one. */
  readonly destinations: readonly DestinationId[];
}

/** The notices for each user of a request about these sources, by the settings in force; null: about all sources. */
export function noticesOf(
  sources: readonly SourceId[] | null,
  workspace: Pick<Workspace, "sources" | "destinations">,
): readonly Notice[] {
  const concerned = sources ?? workspace.sources.map((source) => source.id);
  return [...new Set(concerned)].flatMap((source) => {
    const destinations = workspace.destinations
      .filter((destination) => destination.enabled && destination.sources.some((one) => one.source === source))
      .map((destination) => destination.id);
    return destinations.length > 0 ? [{ source, destinations }] : [];
  });
}

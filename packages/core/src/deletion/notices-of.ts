// Decides where the notices of a deletion go: one delete message for each affected source, to each enabled
// destination of that source (spec, webhook destination §1 and §6; decision: deletion). `integrations` have no influence.

import type { DestinationId, SourceId } from "../ids.js";
import type { Workspace } from "../settings/workspace.js";

/** The source of one delete message, and the destinations that get it. */
export interface NoticeTarget {
  readonly source: SourceId;
  /** At least one. */
  readonly destinations: readonly DestinationId[];
}

/** Where the notices about each user of a request go, by the settings in force. `sources` null: all sources. */
export function noticeTargetsOf(
  sources: readonly SourceId[] | null,
  workspace: Pick<Workspace, "sources" | "destinations">,
): readonly NoticeTarget[] {
  const affected = sources ?? workspace.sources.map((source) => source.id);
  return [...new Set(affected)].flatMap((source) => {
    const destinations = workspace.destinations
      .filter((destination) => destination.enabled && destination.sources.some((one) => one.source === source))
      .map((destination) => destination.id);
    return destinations.length > 0 ? [{ source, destinations }] : [];
  });
}

// Decides where the notices of a deletion go: for each user one delete message per affected source, to each enabled destination
// of that source (spec, webhook destination §1 and §6; decision: deletion). `integrations` have no influence. The messageId of
// a notice depends only on the request and the user's index, so that no notice is sent twice, and reveals no user.

import type { DestinationId, SourceId, DeletionId } from "../ids.js";
import type { Workspace } from "../settings/workspace.js";

/** The source of one delete message, and the destinations that get it. */
export interface NoticeTarget {
  readonly source: SourceId;
  /** At least one. */
  readonly destinations: readonly DestinationId[];
}

/** Returns the destinations of the notices about each user of a request, by the settings in force. `sources` null: all sources. */
export function noticeTargetsOf(
  sources: readonly SourceId[] | null,
  workspace: Pick<Workspace, "sources" | "destinations">,
): readonly NoticeTarget[] {
  const affected = sources ?? workspace.sources.map((source) => source.id);
  return [...new Set(affected)].flatMap((source) => {
    const destinations = workspace.destinations
      .filter(
        (destination) => destination.enabled && destination.sources.some((connection) => connection.source === source),
      )
      .map((destination) => destination.id);
    return destinations.length > 0 ? [{ source, destinations }] : [];
  });
}

/** The messageId of all notices about a user, which has one notice per source. `user` is the user's index in the request. */
export function noticeId(deletion: DeletionId, user: number): string {
  return `delete-${deletion}-${String(user)}`;
}

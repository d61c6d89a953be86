// The source under which an audience's own messages are stored and counted: nobody calls it, and no setting names it.

import type { SourceId } from "../ids.js";

const PREFIX = "audience/";

export function audienceSource(key: string): SourceId {
  return `${PREFIX}${key}` as SourceId;
}

export function isAudienceSource(source: SourceId): boolean {
  return source.startsWith(PREFIX);
}

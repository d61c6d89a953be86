// Names the source under which the messages of an audience are stored and counted. This source is not in the settings and has
// no write key, so no caller can use it.

import { type SourceId, sourceId } from "../ids.js";

const PREFIX = "audience/";

/** The source of the audience with this key. */
export function audienceSource(key: string): SourceId {
  return sourceId(`${PREFIX}${key}`);
}

/** Whether a source belongs to an audience rather than to the settings. */
export function isAudienceSource(source: SourceId): boolean {
  return source.startsWith(PREFIX);
}

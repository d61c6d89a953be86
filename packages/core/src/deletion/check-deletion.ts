// Decides whether a deletion request is valid. Reports every problem at once, each with its path (decision: deletion).

import { pathTo } from "../call/path.js";
import type { SourceId } from "../ids.js";
import { MAX_DELETION_USERS, MAX_USER_ID_LENGTH } from "../limits.js";
import type { Problem } from "../settings/problem.js";
import { type DeletionRequest, effectsOf } from "./deletion.js";

/** All problems of a deletion request; empty if the request is valid. `sourceIds` holds the ids of the sources in the settings. */
export function checkDeletion(request: DeletionRequest, sourceIds: ReadonlySet<SourceId>): readonly Problem[] {
  return [...checkUsers(request.userIds), ...checkSources(request, sourceIds)];
}

function checkUsers(userIds: readonly string[]): readonly Problem[] {
  if (userIds.length === 0) return [{ code: "missing", path: "userIds", expected: "at least 1 user id" }];
  if (new Set(userIds).size > MAX_DELETION_USERS) {
    const expected = `at most ${String(MAX_DELETION_USERS)} user ids; make several requests`;
    return [{ code: "too-many", path: "userIds", expected }];
  }
  return userIds.flatMap((userId, index): readonly Problem[] =>
    userId === "" || userId.length > MAX_USER_ID_LENGTH
      ? [{ code: "bad-user-id", path: pathTo("userIds", index), expected: EXPECTED_USER_ID }]
      : [],
  );
}

const EXPECTED_USER_ID = `1 to ${String(MAX_USER_ID_LENGTH)} characters`;

function checkSources({ sources, regulation }: DeletionRequest, sourceIds: ReadonlySet<SourceId>): readonly Problem[] {
  if (sources === undefined) return [];
  if (!effectsOf(regulation).notifies) {
    return [{ code: "not-allowed", path: "sources", expected: "no sources: a suppression applies to all sources" }];
  }
  if (sources.length === 0)
    return [{ code: "missing", path: "sources", expected: "at least 1 source, or the field left out" }];
  return sources.flatMap((source, index): readonly Problem[] =>
    sourceIds.has(source)
      ? []
      : [{ code: "unknown-source", path: pathTo("sources", index), expected: "the id of a source" }],
  );
}

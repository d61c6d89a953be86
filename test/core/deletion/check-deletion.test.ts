import {
  type DeletionRequest,
  MAX_DELETION_USERS,
  MAX_USER_ID_LENGTH,
  type Problem,
  REGULATIONS,
  type SourceId,
} from "@postrider/core";
import { checkDeletion } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { sourceId } from "../builders.js";

const KNOWN: ReadonlySet<SourceId> = new Set([sourceId("website"), sourceId("shop")]);

function problemsOf(changes: Partial<DeletionRequest>): readonly string[] {
  const request: DeletionRequest = { userIds: ["u1"], regulation: "delete-only", ...changes };
  return checkDeletion(request, KNOWN).map(({ code, path }) => `${path}: ${code}`);
}

function users(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `u${String(index)}`);
}

describe("checkDeletion", () => {
  it.each(REGULATIONS)("takes a request of kind %s for one user", (regulation) => {
    expect(problemsOf({ regulation })).toEqual([]);
  });

  it("requires 1 to 5,000 users, repeats counted once", () => {
    expect(problemsOf({ userIds: [] })).toEqual(["userIds: missing"]);
    expect(problemsOf({ userIds: users(MAX_DELETION_USERS) })).toEqual([]);
    expect(problemsOf({ userIds: [...users(MAX_DELETION_USERS), "u0", "u7"] })).toEqual([]);
    expect(problemsOf({ userIds: users(MAX_DELETION_USERS + 1) })).toEqual(["userIds: too-many"]);
  });

  it("advises several requests for too many users", () => {
    const request = { userIds: users(MAX_DELETION_USERS + 1), regulation: "suppress-only" } as const;
    expect(checkDeletion(request, KNOWN)[0]?.expected).toBe("at most 5000 user ids; make several requests");
  });

  it("reports each user id that no call can carry, with its path", () => {
    const longest = "x".repeat(MAX_USER_ID_LENGTH);
    expect(problemsOf({ userIds: ["u1", "", longest, `${longest}x`] })).toEqual([
      "userIds[1]: bad-user-id",
      "userIds[3]: bad-user-id",
    ]);
  });

  it("accepts sources in the settings, and reports the others", () => {
    expect(problemsOf({ sources: [sourceId("shop"), sourceId("website")] })).toEqual([]);
    expect(problemsOf({ sources: [sourceId("shop"), sourceId("gone")] })).toEqual(["sources[1]: unknown-source"]);
    expect(problemsOf({ sources: [] })).toEqual(["sources: missing"]);
  });

  it("accepts sources only for requests that notify receivers", () => {
    const sources = [sourceId("shop")];
    expect(problemsOf({ regulation: "suppress-with-delete", sources })).toEqual([]);
    expect(problemsOf({ regulation: "suppress-only", sources })).toEqual(["sources: not-allowed"]);
    expect(problemsOf({ regulation: "unsuppress", sources })).toEqual(["sources: not-allowed"]);
  });

  it("reports every problem at once", () => {
    expect(problemsOf({ userIds: [""], sources: [sourceId("gone")] })).toEqual([
      "userIds[0]: bad-user-id",
      "sources[0]: unknown-source",
    ]);
  });

  it.each<[string, Partial<DeletionRequest>, Problem]>([
    ["no user", { userIds: [] }, { code: "missing", path: "userIds", expected: "at least 1 user id" }],
    [
      "an empty user id",
      { userIds: [""] },
      { code: "bad-user-id", path: "userIds[0]", expected: `1 to ${String(MAX_USER_ID_LENGTH)} characters` },
    ],
    [
      "sources of a suppression",
      { regulation: "suppress-only", sources: [sourceId("shop")] },
      { code: "not-allowed", path: "sources", expected: "no sources: a suppression applies to all sources" },
    ],
    [
      "no source",
      { sources: [] },
      { code: "missing", path: "sources", expected: "at least 1 source, or the field left out" },
    ],
    [
      "an unknown source",
      { sources: [sourceId("gone")] },
      { code: "unknown-source", path: "sources[0]", expected: "the id of a source" },
    ],
  ])("says what is expected instead of %s", (_what, changes, problem) => {
    const request: DeletionRequest = { userIds: ["u1"], regulation: "delete-only", ...changes };
    expect(checkDeletion(request, KNOWN)).toEqual([problem]);
  });
});

import type { Call } from "@postrider/core";
import { usersOf } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

describe("usersOf", () => {
  it.each<readonly [string, Call, readonly string[]]>([
    ["the user of a call", { type: "track", event: "Opened", userId: "u1", anonymousId: "a1" }, ["u1"]],
    ["no user for an anonymous call", { type: "page", anonymousId: "a1" }, []],
    ["both users of an alias", { type: "alias", userId: "u1", previousId: "u0" }, ["u1", "u0"]],
    ["a user aliased to itself once", { type: "alias", userId: "u1", previousId: "u1" }, ["u1"]],
    ["the user of an identify", { type: "identify", userId: "u1" }, ["u1"]],
    ["the user of a screen", { type: "screen", userId: "u1" }, ["u1"]],
    ["the user of a group, not the group", { type: "group", userId: "u1", groupId: "g1" }, ["u1"]],
  ])("answers %s", (_, call, users) => {
    expect(usersOf(call)).toEqual(users);
  });
});

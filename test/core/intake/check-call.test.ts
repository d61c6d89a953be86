import type { Call } from "@postrider/core";
import { checkCall } from "@postrider/core/engine";
import { calls, checkedCalls } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("checkCall", () => {
  it.each<[string, Call]>([
    ["identify by userId", { type: "identify", userId: "u1" }],
    ["identify by anonymousId", { type: "identify", anonymousId: "a1" }],
    ["page by userId", { type: "page", userId: "u1" }],
    ["screen by anonymousId", { type: "screen", anonymousId: "a1" }],
    ["track with its event", { type: "track", userId: "u1", event: "Signed Up" }],
    ["group with its groupId", { type: "group", anonymousId: "a1", groupId: "g1" }],
    ["alias with both ids", { type: "alias", userId: "u2", previousId: "u1" }],
    ["a messageId of 100 characters", { type: "page", userId: "u1", messageId: "m".repeat(100) }],
  ])("passes unchanged: %s", (_, call) => {
    expect(checkCall(call)).toEqual({ kind: "ok", call });
  });

  it.each<[string, Call, string, string, string]>([
    ["identify without ids", { type: "identify" }, "no-ids", "", "a userId or an anonymousId"],
    ["page without ids", { type: "page", name: "Home" }, "no-ids", "", "a userId or an anonymousId"],
    ["screen without ids", { type: "screen" }, "no-ids", "", "a userId or an anonymousId"],
    ["track without ids", { type: "track", event: "e" }, "no-ids", "", "a userId or an anonymousId"],
    ["group without ids", { type: "group", groupId: "g" }, "no-ids", "", "a userId or an anonymousId"],
    ["track without event", { type: "track", userId: "u1" }, "no-event", "event", "the name of the event"],
    ["group without groupId", { type: "group", userId: "u1" }, "no-group-id", "groupId", "the id of the group"],
    ["alias without userId", { type: "alias", previousId: "u1" }, "no-user-id", "userId", "the new id of the user"],
    [
      "alias with another id",
      { type: "alias", anonymousId: "a", previousId: "u1" },
      "no-user-id",
      "userId",
      "the new id of the user",
    ],
    [
      "alias without previousId",
      { type: "alias", userId: "u1" },
      "no-previous-id",
      "previousId",
      "the former id of the user",
    ],
    [
      "a messageId of 101 characters",
      { type: "page", userId: "u1", messageId: "m".repeat(101) },
      "bad-message-id",
      "messageId",
      "at most 100 characters",
    ],
  ])("refuses %s", (_, call, code, path, expected) => {
    expect(checkCall(call)).toEqual({ kind: "refused", refusal: { code, path, expected } });
  });

  it("answers the first broken rule", () => {
    const result = checkCall({ type: "track", messageId: "m".repeat(101) });
    expect(result).toMatchObject({ refusal: { code: "bad-message-id" } });
    expect(checkCall({ type: "track" })).toMatchObject({ refusal: { code: "no-event" } });
    expect(checkCall({ type: "alias" })).toMatchObject({ refusal: { code: "no-user-id" } });
  });

  it("never changes a call that passes, nor its type (law 36)", () => {
    fc.assert(
      fc.property(calls(), (call) => {
        const result = checkCall(call);
        if (result.kind === "ok") expect(result.call).toEqual(call);
      }),
    );
  });

  it("passes a call again that has passed once", () => {
    fc.assert(
      fc.property(checkedCalls(), (call) => {
        expect(checkCall(call)).toEqual({ kind: "ok", call });
      }),
    );
  });
});

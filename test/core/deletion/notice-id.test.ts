import { type DeletionId, MAX_DELETION_USERS } from "@postrider/core";
import { noticeId } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

describe("noticeId", () => {
  it("is different for each request and user, and always the same for both", () => {
    const requests = ["d1" as DeletionId, "d2" as DeletionId];
    const ids = requests.flatMap((id) => [noticeId(id, 0), noticeId(id, 1)]);
    expect(ids).toEqual(["delete-d1-0", "delete-d1-1", "delete-d2-0", "delete-d2-1"]);
  });

  it("is at most as long as a messageId may be", () => {
    expect(noticeId("f".repeat(32) as DeletionId, MAX_DELETION_USERS).length).toBeLessThanOrEqual(100);
  });
});

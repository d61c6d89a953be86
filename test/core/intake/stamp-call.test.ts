import { type CheckedCall, parseTimestamp, stampCall } from "@postrider/core/engine";
import { checkedCalls, instants } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, NOW } from "../builders.js";

const page: CheckedCall = { type: "page", userId: "u1" };
const stamp = { messageId: "made" };

describe("stampCall", () => {
  it("gives a call without a time the server's, and no original one", () => {
    expect(stampCall(page, stamp, NOW)).toStrictEqual({
      call: page,
      messageId: "made",
      timestamp: NOW,
      receivedAt: NOW,
    });
  });

  it("keeps the call's own messageId", () => {
    expect(stampCall({ ...page, messageId: "own" }, stamp, NOW).messageId).toBe("own");
  });

  it("takes the call's time, and keeps it as the original", () => {
    expect(stampCall({ ...page, timestamp: at(1_000) }, stamp, NOW)).toMatchObject({
      timestamp: 1_000,
      originalTimestamp: 1_000,
    });
  });

  it("takes originalTimestamp if there is no timestamp, and timestamp if there are both", () => {
    expect(stampCall({ ...page, originalTimestamp: at(7) }, stamp, NOW)).toMatchObject({
      timestamp: 7,
      originalTimestamp: 7,
    });
    expect(stampCall({ ...page, timestamp: at(8), originalTimestamp: at(7) }, stamp, NOW)).toMatchObject({
      timestamp: 8,
      originalTimestamp: 8,
    });
  });

  it("corrects the time of a call by the clock skew that sentAt shows", () => {
    const call = { ...page, timestamp: at(NOW - 3_600_000), sentAt: at(NOW - 3_590_000) };
    expect(stampCall(call, stamp, NOW)).toMatchObject({
      timestamp: NOW - 10_000,
      originalTimestamp: NOW - 3_600_000,
      sentAt: NOW - 3_590_000,
    });
  });

  it("takes the batch's sentAt if the call has none, otherwise the call's", () => {
    const batch = { messageId: "made", sentAt: at(NOW - 1_000) };
    expect(stampCall({ ...page, timestamp: at(NOW - 1_000) }, batch, NOW)).toMatchObject({
      timestamp: NOW,
      sentAt: NOW - 1_000,
    });
    expect(stampCall({ ...page, timestamp: at(NOW - 1_000), sentAt: at(NOW) }, batch, NOW)).toMatchObject({
      timestamp: NOW - 1_000,
      sentAt: NOW,
    });
  });

  it("keeps sentAt, and the server's time, for a call without a time", () => {
    expect(stampCall({ ...page, sentAt: at(5) }, stamp, NOW)).toMatchObject({ timestamp: NOW, sentAt: 5 });
  });

  it("does not correct a time past the first instant that can be written", () => {
    const timestamp = at(parseTimestamp("0001-01-01") ?? 0);
    expect(stampCall({ ...page, timestamp, sentAt: at(NOW + 1) }, stamp, NOW).timestamp).toBe(timestamp);
    expect(stampCall({ ...page, timestamp, sentAt: NOW }, stamp, NOW).timestamp).toBe(timestamp);
    expect(stampCall({ ...page, timestamp, sentAt: at(NOW - 1) }, stamp, NOW).timestamp).toBe(timestamp + 1);
  });

  it("does not correct a time past the last instant that can be written, at the end of its day", () => {
    const last = at(parseTimestamp("9999-12-31T23:59:59.999") ?? 0);
    expect(stampCall({ ...page, timestamp: at(last - 5), sentAt: at(last - 7) }, stamp, last).timestamp).toBe(last - 5);
  });

  it("gives a call that was made more than a day after it was sent the time of its receipt", () => {
    const day = 86_400_000;
    const sentAt = at(NOW - 1_000);
    const within = stampCall({ ...page, timestamp: at(sentAt + day), sentAt }, stamp, NOW);
    expect(within.timestamp).toBe(NOW + day);
    expect(within).not.toHaveProperty("isAhead");
    expect(stampCall({ ...page, timestamp: at(sentAt + day + 1), sentAt }, stamp, NOW)).toMatchObject({
      timestamp: NOW,
      originalTimestamp: sentAt + day + 1,
      sentAt,
      isAhead: true,
    });
  });

  it("leaves a time in the future as it is if there is no sentAt to correct it by", () => {
    const timestamp = at(NOW + 400 * 86_400_000);
    expect(stampCall({ ...page, timestamp }, stamp, NOW).timestamp).toBe(timestamp);
  });

  it("keeps the input instant without sentAt, else follows the skew formula (law 35)", () => {
    fc.assert(
      fc.property(checkedCalls(), fc.option(instants(), { nil: undefined }), instants(), (call, batchSentAt, now) => {
        const result = stampCall(call, { messageId: "m", ...(batchSentAt && { sentAt: batchSentAt }) }, now);
        const sent = call.timestamp ?? call.originalTimestamp;
        const sentAt = call.sentAt ?? (batchSentAt || undefined);
        expect(result.receivedAt).toBe(now);
        expect(result.originalTimestamp).toBe(sent);
        if (sent === undefined) expect(result.timestamp).toBe(now);
        else if (sentAt === undefined) expect(result.timestamp).toBe(sent);
        else if (sent - sentAt > 86_400_000) expect(result).toMatchObject({ timestamp: now, isAhead: true });
        else expect([sent, now - (sentAt - sent)]).toContain(result.timestamp);
      }),
    );
  });

  it("keeps an original time of 0, the first instant of 1970", () => {
    expect(stampCall({ ...page, timestamp: at(0), sentAt: at(0) }, stamp, NOW)).toMatchObject({
      timestamp: NOW,
      originalTimestamp: 0,
      sentAt: 0,
    });
  });
});

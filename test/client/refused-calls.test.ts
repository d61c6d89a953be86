// Calls that are refused before they are queued: what the host hears of them, beside the answer of the call.

import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { answer, createRig } from "./rig.js";

const CALL = { userId: "u1", event: "e" };

describe("a call that is refused", () => {
  it("is told to onFailed and to each iterator of outcomes, with the reason, and counts in no flush", async () => {
    const { client, failed } = createRig();
    const outcomes = client.outcomes();
    const refused = client.track({ userId: "CANARY" } as never);
    const told = {
      messageId: "",
      type: "track",
      reason: "not-queued",
      code: "no-event",
      message: "You must pass 'event'.",
      json: "",
    };
    expect(refused).toMatchObject({ kind: "refused", code: "no-event" });
    expect(failed).toEqual([told]);
    expect(await outcomes.next()).toEqual({ done: false, value: { kind: "failed", ...told } });
    expect(await client.flush()).toEqual({ delivered: 0, failed: 0, pending: 0 });
    expect(await client.close()).toEqual({ undelivered: [] });
  });

  it("for want of room or after close is told with its text, so that it can be kept", async () => {
    const { client, failed } = createRig(() => answer(200), { maxQueued: { calls: 1 } });
    client.track(CALL);
    client.track({ ...CALL, messageId: "m2" });
    await client.close();
    client.page({ userId: "u1", messageId: "m3" });
    expect(failed).toMatchObject([
      { reason: "not-queued", code: "queue-full", messageId: "m2", type: "track" },
      { reason: "not-queued", code: "closed", messageId: "m3", type: "page" },
    ]);
    expect(failed.map(({ json }) => JSON.parse(json) as unknown)).toMatchObject([
      { type: "track", event: "e", messageId: "m2" },
      { type: "page", userId: "u1", messageId: "m3" },
    ]);
  });

  it("in a callback that makes calls is answered, and not told: otherwise the callback would run for ever", () => {
    let told = 0;
    const rig = createRig(undefined, {
      onFailed: () => {
        told += 1;
        expect(rig.client.track({} as never).kind).toBe("refused");
        expect(rig.client.track({} as never).kind).toBe("refused");
      },
    });
    rig.client.track({} as never);
    rig.client.track({} as never);
    expect(told).toBe(2);
  });

  it("leaves no rejected promise of a callback behind, of whatever realm", async () => {
    const answers = ['Promise.reject(new Error("late"))', "({ then() {} })", "null", "7"];
    const rig = createRig(undefined, { onFailed: () => runInNewContext(answers.shift() ?? "0") });
    for (let made = 0; made < 4; made += 1) rig.client.track({} as never);
    await rig.clock.settle();
    expect(rig.log.filter(({ code }) => code === "callback-failed")).toHaveLength(1);
  });
});

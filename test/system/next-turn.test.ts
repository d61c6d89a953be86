import { nextTurn } from "@postrider/system";
import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => void vi.unstubAllGlobals());

describe("the next turn of the event loop", () => {
  it("comes after what has arrived, and after all promises that are settled", async () => {
    const order: string[] = [];
    setImmediate(() => order.push("arrived"));
    void Promise.resolve().then(() => order.push("settled"));
    await nextTurn();
    expect(order).toEqual(["settled", "arrived"]);
  });

  it("comes by a timer on a runtime that has no immediates", async () => {
    vi.stubGlobal("setImmediate", undefined);
    const order: string[] = [];
    setTimeout(() => order.push("timer"), 0);
    await nextTurn();
    expect(order).toEqual(["timer"]);
  });
});

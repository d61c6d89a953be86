import { describe, expect, it } from "vitest";
import { createAfterPoll } from "../../packages/undici/src/connection.js";
import { turns } from "./memory-socket.js";

describe("tasks after the poll", () => {
  it("run in their order, in a later turn", async () => {
    const afterPoll = createAfterPoll();
    const ran: string[] = [];
    for (const name of ["one", "two", "three"]) afterPoll(() => ran.push(name));
    await Promise.resolve();
    expect(ran).toEqual([]);
    await turns(1);
    expect(ran).toEqual(["one", "two", "three"]);
  });

  it("wait for one more poll if another task has asked for them", async () => {
    const afterPoll = createAfterPoll();
    const ran: string[] = [];
    afterPoll(() => {
      ran.push("first");
      afterPoll(() => ran.push("second"));
    });
    await turns(1);
    expect(ran).toEqual(["first"]);
    await turns(1);
    expect(ran).toEqual(["first", "second"]);
  });
});

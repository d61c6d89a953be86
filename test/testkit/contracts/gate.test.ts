// The order in which the gate of the contract suite lets two calls go on, if the storage says which of its accesses wait for a lock.

import { describe, expect, it } from "vitest";
import { createGateControl, passLoopTurn } from "../../../packages/testkit/src/contracts/delivery-store/gate.js";
import { inOrder } from "../../../packages/testkit/src/contracts/delivery-store/play-order.js";

/** More turns than an access may take that says nothing of waiting. */
const MANY_TURNS = 3_000;

/** The first call has two accesses, and before the second of them the turn passes to the other call, which has one. */
async function play(slow: (log: string[]) => Promise<void>, isBlocked?: () => boolean): Promise<readonly string[]> {
  const gates = createGateControl();
  const gate = gates.create();
  const log: string[] = [];
  const note = (text: string) => (): Promise<void> => Promise.resolve(void log.push(text));
  const together = inOrder(gates, { first: 0, switches: new Set([3]) }, () => undefined);
  await together(
    async () => {
      await gate.pass(note("first"));
      await gate.pass(note("second"));
    },
    () => gate.pass(() => slow(log), isBlocked && (() => Promise.resolve(isBlocked()))),
  );
  return log;
}

async function takeMany(log: string[]): Promise<void> {
  for (let turn = 0; turn < MANY_TURNS; turn += 1) await passLoopTurn();
  log.push("slow");
}

async function waitForSecond(log: string[]): Promise<void> {
  while (!log.includes("second")) await passLoopTurn();
  log.push("slow");
}

describe("an access", () => {
  it("that takes long is taken to wait for a lock, so that the other call goes on", async () => {
    expect(await play(takeMany)).toEqual(["first", "second", "slow"]);
  });

  it("that says it does not wait keeps its turn, however long it takes", async () => {
    expect(await play(takeMany, () => false)).toEqual(["first", "slow", "second"]);
  });

  it("that says it waits hands the turn on at once", async () => {
    let asks = 0;
    const log = await play(waitForSecond, () => {
      asks += 1;
      return true;
    });
    expect([log, asks]).toEqual([["first", "second", "slow"], 1]);
  });
});

import { describe, expect, it } from "vitest";
import { createSettle } from "../../packages/simulator/src/set-stage.js";

/** More than enough waits for one that takes a turn of the event loop. */
const MANY = 100;

function settle(): () => Promise<void> {
  const created = createSettle();
  if (created === undefined) throw new Error("this runtime has tasks that follow the microtasks");
  return created;
}

describe("a wait of a simulation", () => {
  it("ends after the promises under way, however long their chain is, and whatever they start", async () => {
    const wait = settle();
    let links = 0;
    async function chain(): Promise<void> {
      for (let link = 0; link < 1_000; link += 1) await Promise.resolve();
      void Promise.resolve().then(() => (links += 1));
    }
    for (let count = 1; count <= MANY; count += 1) {
      void chain();
      await wait();
      expect(links).toBe(count);
    }
  });

  it("lets the event loop take a turn now and then, so that other work of the program goes on", async () => {
    const wait = settle();
    let hadTurn = false;
    setImmediate(() => (hadTurn = true));
    for (let count = 0; count < MANY; count += 1) await wait();
    expect(hadTurn).toBe(true);
  });
});

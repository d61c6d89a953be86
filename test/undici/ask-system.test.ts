import { execFileSync } from "node:child_process";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { createManualClock } from "@postrider/memory";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { createAskSystem, type LookupHelper, startLookupHelper } from "../../packages/undici/src/ask-system.js";
import { MAX_SYSTEM_LOOKUPS, MAX_WAITING_LOOKUPS } from "../../packages/undici/src/limits.js";

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A helper that answers when the test says so. */
function heldHelper() {
  let isAlive = true;
  const asked: { host: string; answer: (addresses: readonly string[]) => void; die: () => void }[] = [];
  const helper: LookupHelper = {
    isAlive: () => isAlive,
    ask: (host) =>
      new Promise((resolve, reject) => {
        asked.push({
          host,
          answer: resolve,
          die: () => {
            isAlive = false;
            reject(Object.assign(new Error("late"), { code: "ETIMEOUT" }));
          },
        });
      }),
  };
  return { helper, asked };
}

describe("asking the system", () => {
  it("looks up this machine as the system does, in another process", async () => {
    const askSystem = createAskSystem(createSystemClock());
    expect(await askSystem("localhost")).toContain("127.0.0.1");
    await expect(askSystem("no such name")).rejects.toMatchObject({ code: expect.stringMatching(/^E/) as string });
  });

  it("does not keep this process running", () => {
    const program = fileURLToPath(new URL("programs/look-up-once.js", import.meta.url));
    expect(JSON.parse(execFileSync(execPath, [program], { encoding: "utf8" }))).toContain("127.0.0.1");
  });

  it("gives up a look-up that takes too long, and kills its process", async () => {
    const clock = createManualClock();
    const helper = startLookupHelper(clock);
    const asking = expect(helper.ask("localhost")).rejects.toMatchObject({ code: "ETIMEOUT" });
    await clock.advance(60_000);
    await asking;
    expect(helper.isAlive()).toBe(false);
    await expect(helper.ask("localhost")).rejects.toMatchObject({ code: "EAI_SYSTEM" });
  });

  it("has four processes at most, each with one name at a time, and uses them again", async () => {
    const helpers: ReturnType<typeof heldHelper>[] = [];
    const askSystem = createAskSystem(createManualClock(), () => {
      const held = heldHelper();
      helpers.push(held);
      return held.helper;
    });
    const asking = Array.from({ length: 10 }, (_, index) => askSystem(`h${String(index)}`));
    await aTurn();
    const hosts = (): readonly (readonly string[])[] => helpers.map(({ asked }) => asked.map(({ host }) => host));
    expect(hosts()).toEqual([["h0"], ["h1"], ["h2"], ["h3"]]);
    expect(helpers.length).toBe(MAX_SYSTEM_LOOKUPS);
    helpers[1]!.asked[0]!.answer(["10.0.0.1"]);
    await aTurn();
    expect(hosts()).toEqual([["h0"], ["h1", "h4"], ["h2"], ["h3"]]);
    // The place of one that was killed is taken by a new one.
    helpers[0]!.asked[0]!.die();
    await expect(asking[0]).rejects.toMatchObject({ code: "ETIMEOUT" });
    await aTurn();
    expect(hosts()).toEqual([["h0"], ["h1", "h4"], ["h2"], ["h3"], ["h5"]]);
    expect(await asking[1]).toEqual(["10.0.0.1"]);
    for (const later of asking.slice(2)) void later.catch(() => undefined);
  });

  it("refuses a look-up beyond those that may wait, as a local fault", async () => {
    const askSystem = createAskSystem(createManualClock(), () => heldHelper().helper);
    for (let index = 0; index < MAX_SYSTEM_LOOKUPS + MAX_WAITING_LOOKUPS; index += 1)
      void askSystem(`h${String(index)}`);
    await expect(askSystem("further")).rejects.toMatchObject({ code: "EAI_MEMORY" });
  });

  it("fails as a local fault where no process can be started", async () => {
    const askSystem = createAskSystem(createManualClock(), () => {
      throw new Error("EPERM");
    });
    await expect(askSystem("a.example")).rejects.toMatchObject({ code: "EAI_SYSTEM" });
  });
});

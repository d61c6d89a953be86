import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { watchForHandleExhaustion } from "../../../packages/postrider/src/server/handle-watch.js";
import type { Logged } from "../server.js";

function watched() {
  const log: Logged[] = [];
  const clock = createManualClock();
  const state = { canOpen: true, tries: 0 };
  const watch = watchForHandleExhaustion({
    clock,
    logger: { log: (level, entry) => void log.push({ level, ...entry }) },
    everyMs: 1_000,
    canOpen: () => {
      state.tries += 1;
      return state.canOpen;
    },
  });
  return { watch, clock, state, codes: () => log.map(({ level, code, suppressed }) => ({ level, code, suppressed })) };
}

const USED_UP = { level: "error", code: "no-file-handles", suppressed: undefined };
const FREE = { level: "info", code: "file-handles-free", suppressed: undefined };

describe("a watch over file handles", () => {
  it("reports nothing while files can be opened", async () => {
    const { watch, clock, state, codes } = watched();
    watch.start();
    await clock.advance(3_000);
    expect({ tries: state.tries, usedUp: watch.areUsedUp(), codes: codes() }).toEqual({
      tries: 3,
      usedUp: false,
      codes: [],
    });
  });

  it("reports once that they are used up, and once that they are free again", async () => {
    const { watch, clock, state, codes } = watched();
    watch.start();
    state.canOpen = false;
    await clock.advance(60_000);
    expect(watch.areUsedUp()).toBe(true);
    expect(codes()).toEqual([USED_UP]);
    state.canOpen = true;
    await clock.advance(1_000);
    expect(watch.areUsedUp()).toBe(false);
    expect(codes()).toEqual([USED_UP, FREE]);
  });

  it("counts changes within ten seconds", async () => {
    const { watch, clock, state, codes } = watched();
    watch.start();
    for (let second = 1; second <= 11; second += 1) {
      state.canOpen = second % 2 === 0;
      await clock.advance(1_000);
    }
    expect(codes()).toEqual([USED_UP, FREE, { ...USED_UP, suppressed: 4 }]);
  });

  it("tries no longer once it is stopped", async () => {
    const { watch, clock, state } = watched();
    watch.start();
    await clock.advance(1_000);
    watch.stop();
    await clock.advance(10_000);
    expect(state.tries).toBe(1);
  });

  it("can open a file if the process has handles left", async () => {
    const log: Logged[] = [];
    const clock = createManualClock();
    const logger = { log: (level: string, entry: object) => void log.push({ level, ...entry } as Logged) };
    const watch = watchForHandleExhaustion({ clock, logger, everyMs: 1_000 });
    watch.start();
    await clock.advance(1_000);
    expect({ log, usedUp: watch.areUsedUp() }).toEqual({ log: [], usedUp: false });
  });
});

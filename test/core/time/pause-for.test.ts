import { pauseFor } from "@postrider/core/engine";
import { createManualClock } from "@postrider/memory";
import { expect, it } from "vitest";

it("a pause ends when its time has passed by the given clock, and not before", async () => {
  const clock = createManualClock();
  let isOver = false;
  const pause = pauseFor(clock, 50).then(() => {
    isOver = true;
  });
  await clock.advance(49);
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(isOver).toBe(true);
  await pause;
});

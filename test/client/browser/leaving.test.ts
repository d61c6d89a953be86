// A page that is left, reloaded, closed, or kept for the way back: the calls that wait in it arrive.

import { expect, it } from "vitest";
import { WRITE_KEY } from "../../canary.js";
import { stats } from "../../end-to-end/scene.js";
import { describeInBrowser } from "./browser.js";
import type { OpenPage } from "./open-page.js";
import type { LeavingPlan } from "./programs/leaving.js";
import { startRig } from "./rig.js";

const WAYS: readonly (readonly [way: string, leave: (page: OpenPage) => Promise<void>])[] = [
  ["left by a link", (page) => page.leave()],
  ["reloaded", (page) => page.reload()],
  ["closed", (page) => page.close()],
];

describeInBrowser("our client in a page that is left", (browser) => {
  it.each(WAYS.flatMap(([way, leave]) => [1, 20, 150].map((calls) => ({ way, calls, leave }))))(
    "sends what waits when the page is $way with $calls calls",
    async ({ calls, leave }) => {
      const { page, server } = await startRig(browser(), "leaving");
      await page.run("makeCalls", { writeKey: WRITE_KEY, endpoint: server.url, calls } satisfies LeavingPlan);
      await leave(page);
      await expect.poll(() => stats(server.url)).toMatchObject({ accepted: calls });
    },
  );

  it("sends each call once when the page is left and comes back", async () => {
    const { page, server } = await startRig(browser(), "leaving");
    await page.run("makeCalls", { writeKey: WRITE_KEY, endpoint: server.url, calls: 3 } satisfies LeavingPlan);
    await page.leave();
    await expect.poll(() => stats(server.url)).toMatchObject({ accepted: 3 });
    await page.back();
    const plan = { writeKey: WRITE_KEY, endpoint: server.url, calls: 2 } satisfies LeavingPlan;
    await page.run("makeCalls", plan);
    expect(await page.run("flush", {})).toMatchObject({ failed: 0, pending: 0 });
    await expect.poll(() => stats(server.url)).toMatchObject({ accepted: 5 });
  });
});

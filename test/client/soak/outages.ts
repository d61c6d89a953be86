// Outages of a server, from eight minutes to a day, as a durable client lives through them in virtual time: each wrong answer, at one
// and at ten calls a second, in batches of 20 and of 500, with crashes in the middle. No kept call may be lost.

import { createMemoryCallStorage } from "@postrider/memory";
import { expect, it } from "vitest";
import { answer } from "../rig.js";
import { type Ending, startLife } from "../durable/life.js";

const SECOND_MS = 1_000;
/** The bound of the storage, which is the default. */
const MAX_CALLS = 100_000;

const WRONG: Readonly<Record<string, Ending>> = {
  "no answer": () => "silent",
  "a reset": () => "reset",
  ...Object.fromEntries(
    [301, 400, 401, 403, 404, 408, 413, 422, 429, 500, 503].map((status) => [String(status), () => answer(status)]),
  ),
  "a login page": () => new Response("<html>"),
  "success: false": () => answer(200, { success: false }),
};

const OUTAGES = [8, 15, 60, 240, 1_440].flatMap((minutes) =>
  [1, 10].flatMap((perSecond) => [20, 500].map((flushAt) => ({ minutes, perSecond, flushAt }))),
);

/** A day at ten calls a second is played with three answers, since it takes a minute each. */
const LONG = new Set(["no answer", "401", "503"]);

for (const [name, ending] of Object.entries(WRONG)) {
  const outages = OUTAGES.filter(({ minutes, perSecond }) => minutes * perSecond <= 2_400 || LONG.has(name));
  it.each(outages)(`loses nothing in $minutes min of ${name}, $perSecond calls/s, flushAt $flushAt`, async (outage) => {
    const { minutes, perSecond, flushAt } = outage;
    const storage = createMemoryCallStorage({ maxCalls: MAX_CALLS });
    const [kept, arrived]: [string[], string[]] = [[], []];
    let [made, refused, mostInMemory] = [0, 0, 0];
    const crashes = 3;
    for (let part = 0; part <= crashes; part += 1) {
      const life = startLife(storage, { flushAt });
      life.answers(ending);
      // From here on, the client knows how many calls are in its storage.
      await life.clock.settle();
      for (let second = 0; second < (minutes * 60) / crashes && part < crashes; second += 1) {
        made += perSecond;
        refused += perSecond - life.call(perSecond).length;
        await life.clock.advance(SECOND_MS);
        mostInMemory = Math.max(mostInMemory, life.client.backlog().inMemory);
      }
      if (part === crashes) {
        life.answers(() => answer(200));
        await life.clock.advance(3_600_000);
        expect(life.client.backlog()).toEqual({ calls: 0, inMemory: 0, setAside: 0 });
      }
      await life.client.kept();
      // What has no room in the storage is refused by the method, and counted below.
      expect(life.failed.filter(({ reason }) => reason !== "not-queued")).toEqual([]);
      kept.push(...life.kept);
      arrived.push(...life.arrived);
    }
    console.log(
      `${name}, ${String(minutes)} min, ${String(perSecond)}/s, flushAt ${String(flushAt)}: ${String(made)} made, ` +
        `${String(refused)} refused as queue-full, ${String(kept.length)} kept, ${String(new Set(arrived).size)} arrived ` +
        `(${String(arrived.length - new Set(arrived).size)} twice), at most ${String(mostInMemory)} in memory`,
    );
    expect(new Set(arrived)).toEqual(new Set(kept));
    expect(refused).toBe(Math.max(0, made - MAX_CALLS));
  });
}

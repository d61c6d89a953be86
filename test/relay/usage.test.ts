// The usage of each source.

import { countsBalance } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { track, WEBSITE } from "./rig.js";
import { ask, openBench, SHOP } from "./deletion-rig.js";

describe("usage", () => {
  it("is counted for each source: received, refused, filtered, suppressed and delivered", async () => {
    const bench = openBench();
    await ask(bench, { regulation: "suppress-only" });
    const good = { userId: "u2", integrations: { All: false } };
    await bench.accept(track(), track({ userId: "u2" }), track(good), { type: "track" });
    await bench.answer(bench.relay().accept({ source: SHOP, calls: [track({ userId: "u2" }), "nothing"] }));
    await bench.advance(1_000);
    const usage = await bench.answer(bench.relay().usage());
    expect([...usage].sort((one, other) => (one.source < other.source ? -1 : 1))).toMatchObject([
      { source: SHOP, received: 1, accepted: 1, filtered: 0, delivered: 1, refused: 1, suppressed: 0 },
      { source: WEBSITE, received: 2, accepted: 4, filtered: 2, delivered: 2, refused: 1, suppressed: 1 },
    ]);
    const sum = await bench.answer(bench.relay().stats());
    expect(sum).toMatchObject({ accepted: 5, filtered: 2, delivered: 3, refused: 2, suppressed: 1 });
    expect(countsBalance(sum)).toBe(true);
  });

  it("includes at once what no commit has written yet", async () => {
    const bench = openBench();
    await bench.accept(track());
    await bench.advance(1_000);
    await bench.accept("nothing");
    expect(await bench.answer(bench.relay().usage())).toMatchObject([{ source: WEBSITE, accepted: 2, refused: 1 }]);
    expect(await bench.answer(bench.relay().stats())).toMatchObject({ accepted: 2, refused: 1 });
  });

  it("includes a source whose calls have all been refused so far", async () => {
    const bench = openBench();
    await bench.accept("nothing");
    expect(await bench.answer(bench.relay().usage())).toMatchObject([{ source: WEBSITE, accepted: 0, refused: 1 }]);
  });
});

// The usage of each source.

import { countsBalance } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { track, WEBSITE } from "./rig.js";
import { ask, openRig, SHOP } from "./deletion-rig.js";

describe("usage", () => {
  it("is counted for each source: received, refused, filtered, suppressed and delivered", async () => {
    const rig = openRig();
    await ask(rig, { regulation: "suppress-only" });
    const good = { userId: "u2", integrations: { All: false } };
    await rig.accept(track(), track({ userId: "u2" }), track(good), { type: "track" });
    await rig.answer(rig.relay().accept({ source: SHOP, calls: [track({ userId: "u2" }), "nothing"] }));
    await rig.advance(1_000);
    const usage = await rig.answer(rig.relay().usage());
    expect([...usage].sort((one, other) => (one.source < other.source ? -1 : 1))).toMatchObject([
      { source: SHOP, received: 1, accepted: 1, filtered: 0, delivered: 1, refused: 1, suppressed: 0 },
      { source: WEBSITE, received: 2, accepted: 4, filtered: 2, delivered: 2, refused: 1, suppressed: 1 },
    ]);
    const sum = await rig.answer(rig.relay().stats());
    expect(sum).toMatchObject({ accepted: 5, filtered: 2, delivered: 3, refused: 2, suppressed: 1 });
    expect(countsBalance(sum)).toBe(true);
  });

  it("includes at once what no commit has written yet", async () => {
    const rig = openRig();
    await rig.accept(track());
    await rig.advance(1_000);
    await rig.accept("nothing");
    expect(await rig.answer(rig.relay().usage())).toMatchObject([{ source: WEBSITE, accepted: 2, refused: 1 }]);
    expect(await rig.answer(rig.relay().stats())).toMatchObject({ accepted: 2, refused: 1 });
  });

  it("includes a source whose calls have all been refused so far", async () => {
    const rig = openRig();
    await rig.accept("nothing");
    expect(await rig.answer(rig.relay().usage())).toMatchObject([{ source: WEBSITE, accepted: 0, refused: 1 }]);
  });
});

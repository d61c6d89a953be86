import { NO_COUNTS, type SourceCounts } from "@postrider/core";
import { countsBalance, totalCounts } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { sourceId } from "../builders.js";

const website: SourceCounts = {
  source: sourceId("website"),
  accepted: 15,
  filtered: 1,
  waiting: 2,
  claimed: 3,
  delivered: 4,
  dead: 5,
  received: 10,
  refused: 6,
  duplicates: 7,
  suppressed: 8,
  shed: 9,
};

describe("totalCounts", () => {
  it("is all zeros for no sources", () => {
    expect(totalCounts([])).toEqual(NO_COUNTS);
    expect(Object.values(NO_COUNTS)).toEqual(Array(11).fill(0));
  });

  it("counts changes of an audience as units, but not as received calls", () => {
    const audience = { ...website, source: sourceId("audience/vip") };
    expect(totalCounts([website, audience])).toMatchObject({ accepted: 30, received: 10 });
  });

  it("adds up each counter over the sources", () => {
    const shop: SourceCounts = {
      source: sourceId("shop"),
      accepted: 150,
      filtered: 10,
      waiting: 20,
      claimed: 30,
      delivered: 40,
      dead: 50,
      received: 100,
      refused: 60,
      duplicates: 70,
      suppressed: 80,
      shed: 90,
    };
    expect(totalCounts([website, shop])).toEqual({
      accepted: 165,
      filtered: 11,
      waiting: 22,
      claimed: 33,
      delivered: 44,
      dead: 55,
      received: 110,
      refused: 66,
      duplicates: 77,
      suppressed: 88,
      shed: 99,
    });
  });
});

describe("countsBalance", () => {
  it("is true when every accepted unit is in exactly one state", () => {
    expect(countsBalance(NO_COUNTS)).toBe(true);
    expect(countsBalance(website)).toBe(true);
  });

  it.each(["accepted", "filtered", "waiting", "claimed", "delivered", "dead"] as const)(
    "breaks when %s is one too high",
    (name) => {
      expect(countsBalance({ ...website, [name]: website[name] + 1 })).toBe(false);
    },
  );

  it.each(["refused", "duplicates", "suppressed", "shed"] as const)(
    "does not look at %s, which counts calls",
    (name) => {
      expect(countsBalance({ ...website, [name]: website[name] + 1 })).toBe(true);
    },
  );
});

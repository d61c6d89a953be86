import { expect, it } from "vitest";
import { countBy, countTo, GREETING, giveOnce, isLarge, reportLater, whenOn } from "./decide.js";

it("greets", () => {
  expect(GREETING).toBe("hello");
});

it("tells small from large, but for 10", () => {
  expect([9, 11].map(isLarge)).toEqual([false, true]);
});

it("counts", () => {
  expect([countTo(3), countBy("fast")]).toEqual([3, 7]);
});

it("goes on while it is on", async () => {
  await whenOn(1);
});

it("gives a word", () => {
  expect(giveOnce("word")).toBe(true);
});

it("reports nothing without a fault", () => {
  reportLater(0);
});

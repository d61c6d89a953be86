import { audienceSource, isAudienceSource, type SourceId } from "@postrider/core";
import { expect, it } from "vitest";

it("an audience's messages have a source of their own, which is known as such", () => {
  expect(audienceSource("vip")).toBe("audience/vip");
  expect(isAudienceSource(audienceSource("vip"))).toBe(true);
  expect(isAudienceSource("website" as SourceId)).toBe(false);
});

import { isAudienceSource, type SourceId } from "@postrider/core";
import { audienceSource } from "@postrider/core/engine";
import { expect, it } from "vitest";

it("the messages of an audience have a separate source, which is recognised", () => {
  expect(audienceSource("vip")).toBe("audience/vip");
  expect(isAudienceSource(audienceSource("vip"))).toBe(true);
  expect(isAudienceSource("website" as SourceId)).toBe(false);
});

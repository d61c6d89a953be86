// The sampler for deliveries: it takes all rounds and attempts, and asks another sampler about all other spans.

import { createDeliverySampler } from "@postrider/relay/metrics";
import { expect, it } from "vitest";

type Asked = Parameters<ReturnType<typeof createDeliverySampler>["shouldSample"]>;

function spanWith(attributes: object): Asked {
  return [{}, "0af7651916cd43dd8448eb211c80319c", "POST", 2, { ...attributes }, []];
}

it("the sampler for deliveries takes what belongs to a delivery, and leaves the rest to another one", () => {
  const asked: Asked[] = [];
  const others = {
    shouldSample: (...args: Asked) => {
      asked.push(args);
      return { decision: 0 };
    },
    toString: () => "Others",
  };
  const sampler = createDeliverySampler(others);
  expect(sampler.shouldSample(...spanWith({ "postrider.delivery.id": "d1" }))).toEqual({ decision: 2 });
  expect(asked).toEqual([]);
  const other = spanWith({ "postrider.source": "site" });
  expect(sampler.shouldSample(...other)).toEqual({ decision: 0 });
  expect(asked).toEqual([other]);
  expect(sampler.toString()).toBe("Postrider{Others}");
});

// A host whose policy has a function: a retry comes when the function says, and a delivery ends when it gives up.

import type { HttpPort, ScheduleInput } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import { expect, it, onTestFinished } from "vitest";
import { createPostrider } from "../../../packages/postrider/src/index.js";
import { WRITE_KEY } from "../../canary.js";

it("createPostrider asks the schedule of its policy, until it gives up", async () => {
  const clock = createManualClock();
  const sentAt: number[] = [];
  const asked: ScheduleInput[] = [];
  const http: HttpPort = {
    send: () => {
      sentAt.push(clock.monotonic());
      return Promise.resolve({ kind: "answered", status: 503, afterMs: 0, excerpt: new Uint8Array() });
    },
  };
  const next = (failure: ScheduleInput): number | "give-up" => {
    asked.push(failure);
    return failure.rounds < 3 ? failure.rounds * 7_000 : "give-up";
  };
  const creating = createPostrider({
    ...{ store: "memory:", http, clock, logger: { log: () => undefined } },
    sources: [{ id: "site", writeKey: WRITE_KEY }],
    destinations: [{ id: "crm", sources: ["site"], endpoints: [{ url: "https://a.example/" }] }],
    delivery: { firstRetryMs: 1_000, schedule: { name: "sevens", next } },
  });
  await clock.advance(1_000);
  const postrider = await creating;
  onTestFinished(() => void postrider.close());
  const tracked = postrider.track("site", { userId: "u1", event: "e" });
  await clock.advance(60_000);
  expect(await tracked).toMatchObject({ kind: "accepted" });
  expect(asked.map(({ rounds }) => rounds)).toEqual([1, 2, 3]);
  const gaps = sentAt.slice(1).map((at, index) => Math.round((at - (sentAt[index] ?? 0)) / 100) / 10);
  expect(gaps).toEqual([7, 14]);
  const listing = postrider.relay.deliveries({ limit: 1 });
  await clock.advance(10);
  expect((await listing)._unsafeUnwrap().deliveries).toMatchObject([{ state: "dead", reason: "expired" }]);
});

import type { DeliveryId } from "@postrider/core";
import { expect, it } from "vitest";
import { DELIVERIES_PER_SLICE } from "../../../packages/relay/src/limits.js";
import { createRig, destination, track } from "../rig.js";

it("a job counts what it has replayed itself, though another replay comes between its look and its step", async () => {
  let replayOnce = (): Promise<unknown> => Promise.resolve();
  const rig = createRig({
    hasRecords: true,
    receivers: { a: () => ({ status: 422 }) },
    destinations: [destination("crm", ["a"])],
    wrapStore: (real) => ({
      ...real,
      list: async (query) => {
        const page = await real.list(query);
        if (query.limit === DELIVERIES_PER_SLICE) await replayOnce();
        return page;
      },
    }),
  });
  const replay = async (id: DeliveryId): Promise<unknown> => rig.relay().replay(id);
  await rig.accept(track(), track(), track());
  await rig.advance(5_000);
  const [first] = await rig.all();
  replayOnce = () => {
    replayOnce = () => Promise.resolve();
    return replay(first!.id);
  };
  const { id } = await rig.answer(rig.relay().startReplay({ states: ["dead"] }));
  await rig.advance(60_000);
  const job = await rig.answer(rig.relay().replayJob(id));
  expect(job).toMatchObject({ state: "done", expected: 3, replayed: 2, skipped: 1 });
});

// The `traceparent` of an arrival: stored with each message, and told in the events of its deliveries in each round, in replays,
// and by a process that comes later.

import type { RelayEvent } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { createRig, destination, type Rig, track, WEBSITE } from "./rig.js";

const ONE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const UNSAMPLED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

/** The kinds of events about deliveries, each with whether it tells this text. */
function tracedEvents({ events }: Rig, traceparent = ONE): readonly string[] {
  return events.flatMap((event: RelayEvent) =>
    "delivery" in event ? [`${event.kind} ${String(event.traceparent === traceparent)}`] : [],
  );
}

function acceptLinked(rig: Rig, link: object = { traceparent: ONE }) {
  return rig.answer(rig.relay().accept({ source: WEBSITE, calls: [track()], ...link }));
}

function failing(times: number) {
  return { a: ({ nth }: { readonly nth: number }) => ({ status: nth <= times ? 503 : 200 }) };
}

describe("the traceparent of an arrival", () => {
  it("is in each event of its deliveries, in the first round and in a further one", async () => {
    const rig = createRig({ receivers: failing(1) });
    await acceptLinked(rig);
    await rig.advance(600_000);
    expect(tracedEvents(rig)).toEqual(["attempted true", "rescheduled true", "attempted true", "delivered true"]);
  });

  it("is in the events of a process that comes later", async () => {
    const rig = createRig({ receivers: failing(1) });
    await acceptLinked(rig);
    await rig.advance(100);
    rig.crash();
    rig.restart();
    await rig.advance(600_000);
    expect(tracedEvents(rig).slice(2)).toEqual(["attempted true", "delivered true"]);
  });

  it("is in the events of a replay, but that of its storage, for which no message is read", async () => {
    const rig = createRig({ receivers: { a: { status: 422 } } });
    await acceptLinked(rig);
    await rig.advance(1_000);
    const { id } = await rig.only();
    await rig.answer(rig.relay().replay(id));
    await rig.advance(1_000);
    expect(tracedEvents(rig)).toEqual(["attempted true", "died true", "replayed false", "attempted true", "died true"]);
  });

  it("is in the event of a delivery that is dead at once, since its lane is full", async () => {
    const laneBounds = { maxDeliveries: 0, maxBytes: 9_999 };
    const rig = createRig({ relay: { laneBounds } });
    await acceptLinked(rig);
    expect(tracedEvents(rig)).toEqual(["died true"]);
  });

  it("is stored with each call of several slices, and with fields that the batch shares", async () => {
    const rig = createRig();
    const calls = Array.from({ length: 700 }, () => track());
    const shared = { context: { app: "site" } };
    await rig.answer(rig.relay().accept({ source: WEBSITE, calls, shared, traceparent: ONE }));
    await rig.advance(600_000);
    const delivered = tracedEvents(rig).filter((one) => one.startsWith("delivered"));
    expect(delivered).toEqual(Array.from({ length: 700 }, () => "delivered true"));
  });

  it("is stored with a call to more destinations than one slice has", async () => {
    const destinations = Array.from({ length: 2_100 }, (_, index) => destination(`d${String(index)}`, ["a"]));
    const rig = createRig({ destinations });
    await acceptLinked(rig);
    await rig.advance(600_000);
    expect(new Set(tracedEvents(rig))).toEqual(new Set(["attempted true", "delivered true"]));
  });

  it.each([
    ["unsampled", { traceparent: UNSAMPLED }],
    ["malformed", { traceparent: "nonsense" }],
    ["no text", { traceparent: 7 }],
    ["absent", {}],
  ])("is in no event if it is %s, and the calls are accepted", async (_, link) => {
    const rig = createRig();
    const receipts = await acceptLinked(rig, link);
    await rig.advance(1_000);
    expect(receipts).toMatchObject([{ kind: "accepted" }]);
    const last = rig.events.at(-1);
    expect(last).toMatchObject({ kind: "delivered" });
    expect(last).not.toHaveProperty("traceparent");
  });
});

// The standings of endpoints: their recent answers, for each destination apart, and the time at which they are forgotten.

import type { DestinationId, EndpointId } from "@postrider/core";
import { createDeadlines, type HeardReply, isRefusing, type Standing } from "@postrider/core/engine";
import { createManualClock, createScriptedHttp, type ManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createEndpoints, type Endpoints, type EndpointsOptions } from "../../../packages/relay/src/lanes/endpoints.js";
import { createStoreClock, createWatchedClock } from "../../../packages/relay/src/fleet/clock.js";

const CRM = "crm" as DestinationId;
const MAIL = "mail" as DestinationId;
const A = "https://a.example/hook" as EndpointId;
const B = "https://b.example/hook" as EndpointId;

/** The reply to the first attempt of a message. */
const heard = (messageId: string, status: number): HeardReply => {
  const reply = { kind: "answered", status, afterMs: 1, excerpt: new Uint8Array() } as const;
  return { messageId, isFirst: true, reply };
};

interface Scene {
  readonly clock: ManualClock;
  readonly endpoints: Endpoints;
  /** The recorded answers of the endpoint. */
  readonly standing: (endpoint?: EndpointId, destination?: DestinationId) => Standing | undefined;
  /** The endpoints of a relay that takes over. */
  readonly takenOver: () => Endpoints;
}

function scene(): Scene {
  const clock = createManualClock();
  const watched = createWatchedClock(createStoreClock(clock));
  const open = (known?: EndpointsOptions["known"]): Endpoints =>
    createEndpoints({
      http: createScriptedHttp({ clock, script: () => ({ kind: "answers", status: 200 }) }),
      clock: watched,
      deadlines: createDeadlines(clock),
      limitOf: () => 32,
      share: () => 1,
      onHold: () => undefined,
      ...(known && { known }),
    });
  const endpoints = open();
  return {
    clock,
    endpoints,
    standing: (endpoint = A, destination = CRM) => endpoints.standings(destination).get(endpoint),
    // As in a record: what is known is plain data.
    takenOver: () => open(JSON.parse(JSON.stringify(endpoints.remember())) as NonNullable<EndpointsOptions["known"]>),
  };
}

describe("the standing of an endpoint", () => {
  it("is what it has answered: when it took a message last, and which ones it has refused since", async () => {
    const { clock, endpoints, standing } = scene();
    expect(standing()).toBeUndefined();
    endpoints.replied(CRM, A, heard("m1", 200));
    const succeededAt = clock.wall();
    await clock.advance(1_000);
    endpoints.replied(CRM, A, heard("m2", 404));
    const refusedSince = clock.wall();
    await clock.advance(1_000);
    endpoints.replied(CRM, A, heard("m3", 404));
    expect(standing()).toMatchObject({ succeededAt, refused: 2, refusedSince, lastRefused: "m3" });
    endpoints.replied(CRM, A, heard("m4", 200));
    expect(standing()).toMatchObject({ succeededAt: clock.wall(), refused: 0, refusedSince: undefined });
  });

  it("is none of another endpoint, nor of the same endpoint for another destination", () => {
    const { endpoints, standing } = scene();
    endpoints.replied(CRM, A, heard("m1", 200));
    expect([standing(B), standing(A, MAIL)]).toEqual([undefined, undefined]);
  });

  it("is not kept after a failure, which says nothing of it", () => {
    const { endpoints } = scene();
    endpoints.replied(CRM, A, heard("m1", 503));
    expect(endpoints.remember().standings).toEqual([]);
  });

  it("is forgotten if its destination is not needed any more", () => {
    const { endpoints, standing } = scene();
    endpoints.replied(CRM, A, heard("m1", 200));
    endpoints.replied(MAIL, A, heard("m1", 200));
    endpoints.keep((destination) => destination === MAIL);
    expect(standing()).toBeUndefined();
    expect(standing(A, MAIL)).toBeDefined();
    expect(endpoints.remember().standings.map(([destination]) => destination)).toEqual([MAIL]);
  });

  it.each([5_000, -5_000])(
    "is forgotten if the clock steps by %i ms: its instants cannot be compared",
    async (stepMs) => {
      const { clock, endpoints, standing } = scene();
      endpoints.replied(CRM, A, heard("m1", 200));
      endpoints.replied(MAIL, B, heard("m1", 404));
      await clock.advance(1_000);
      expect(standing()).toBeDefined();
      clock.stepWall(stepMs);
      expect([standing(), standing(B, MAIL)]).toEqual([undefined, undefined]);
      endpoints.replied(CRM, A, heard("m2", 200));
      expect(standing()?.succeededAt).toBe(clock.wall());
    },
  );

  it("is forgotten if the first to notice the step is a reply", () => {
    const { clock, endpoints, standing } = scene();
    for (const id of ["m1", "m2"]) endpoints.replied(CRM, A, heard(id, 404));
    clock.stepWall(5_000);
    endpoints.replied(CRM, A, heard("m3", 404));
    expect(standing()?.refused).toBe(1);
    expect(isRefusing(standing()!, clock.wall())).toBe(false);
  });

  it("is known to the relay that takes over", () => {
    const { endpoints, takenOver, clock } = scene();
    endpoints.replied(CRM, A, heard("m1", 200));
    endpoints.replied(CRM, B, heard("m1", 404));
    endpoints.replied(MAIL, A, heard("m2", 404));
    const next = takenOver();
    const refused = { refused: 1, refusedSince: clock.wall(), lastRefused: "m1" };
    expect(next.standings(CRM).get(A)).toMatchObject({ succeededAt: clock.wall(), refused: 0 });
    expect(next.standings(CRM).get(B)).toMatchObject(refused);
    expect(next.standings(MAIL).get(A)).toMatchObject({ ...refused, lastRefused: "m2" });
    next.replied(CRM, B, heard("m1", 404));
    expect(next.standings(CRM).get(B)).toMatchObject(refused);
  });
});

describe("the hold of an endpoint", () => {
  it("is known to the relay that takes over, and forgotten with its destination once it is over", async () => {
    const { clock, endpoints, takenOver } = scene();
    const until = (clock.wall() + 60_000) as ReturnType<ManualClock["wall"]>;
    endpoints.hold(CRM, A, until);
    const next = takenOver();
    await clock.advance(10_000);
    expect(next.holds(CRM)).toEqual(new Map([[A, until]]));
    next.keep(() => false);
    expect(next.holds(CRM)).toEqual(new Map([[A, until]]));
    await clock.advance(50_000);
    next.keep(() => false);
    expect(next.remember().holds).toEqual([]);
  });
});

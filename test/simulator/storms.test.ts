// Storms of refusals: a receiver that refuses whatever it gets, for a while or for good, and one that refuses at random (decision:
// refusals).

import { drawFleet, drawSimulation, simulate, type SimulationOptions } from "@postrider/simulator";
import { describe, expect, it } from "vitest";

const MINUTE_MS = 60_000;
const LOAD = { calls: 200, overMs: 20 * MINUTE_MS };

/** A receiver that answers so from the second minute on, for the given time. */
function storm(status: number, lastsMs: number): SimulationOptions {
  const spell = { fromMs: MINUTE_MS, untilMs: MINUTE_MS + lastsMs, behaviour: { kind: "answers", status } } as const;
  return { receivers: { crm: { spells: [spell] } }, load: LOAD };
}

describe("a storm of refusals", () => {
  it.each([404, 401, 302, 410])(
    "that answers %i for five minutes costs no message, and few requests",
    async (status) => {
      const { total } = await simulate(storm(status, 5 * MINUTE_MS));
      expect(total).toMatchObject({ delivered: 200, dead: {} });
      expect(total.requestsPerDelivery).toBeLessThan(1.3);
      expect(total.heldMs).toBeGreaterThan(4 * MINUTE_MS);
    },
  );

  it("of 422 kills what it answers, and holds nothing back: it speaks of each message", async () => {
    const { total } = await simulate(storm(422, 5 * MINUTE_MS));
    expect(total).toMatchObject({ delivered: 150, dead: { refused: 50 }, requests: 200, heldMs: 0 });
  });

  it("that never ends kills what it refuses at the end of the window", async () => {
    const { total } = await simulate({
      receivers: { crm: { usually: { kind: "answers", status: 401 } } },
      policy: { retryWindowMs: 2 * MINUTE_MS },
      load: { calls: 2, overMs: MINUTE_MS },
    });
    expect(total).toMatchObject({ delivered: 0, dead: { refused: 2 } });
  });

  it("that is the work of the address policy says nothing of the receiver: its failures afterwards break no promise", async () => {
    const fails = { kind: "answers", status: 503, afterMs: 200 } as const;
    const forbidden = { kind: "fails", fault: "forbidden-address" } as const;
    const spells = [
      { fromMs: 0, untilMs: 5 * MINUTE_MS, behaviour: fails },
      { fromMs: 0, untilMs: MINUTE_MS / 2, behaviour: forbidden },
    ];
    const { total } = await simulate({
      receivers: { crm: { spells } },
      load: { calls: 16, overMs: 1_000, perArrival: 16 },
    });
    expect(total).toMatchObject({ delivered: 16, dead: {} });
  });

  it("of a firewall that refuses one request in three kills about one message in nine", async () => {
    const answers = (status: number) => ({ kind: "answers", status, afterMs: 20 }) as const;
    const usually = { kind: "mixed", of: [answers(403), answers(200), answers(200)] } as const;
    const load = { calls: 1_000, overMs: 5 * MINUTE_MS };
    const { total } = await simulate({ receivers: { crm: { usually } }, load });
    expect(total.dead.refused).toBeGreaterThan(60);
    expect(total.dead.refused).toBeLessThan(160);
    expect(total.delivered + (total.dead.refused ?? 0)).toBe(1_000);
  });
});

describe("the draw of storms", () => {
  it.each([
    ["one server", drawSimulation],
    ["several servers", drawFleet],
  ])("has them in three of ten simulations of %s", (_, draw) => {
    const stormy = Array.from({ length: 1_000 }, (_, seed) => draw(seed)).filter(hasStorm);
    expect(stormy.length).toBeGreaterThan(150);
    expect(stormy.length).toBeLessThan(350);
  });
});

/** Whether a receiver has answers that only storms have. */
function hasStorm({ receivers }: SimulationOptions): boolean {
  return /"status":(?:401|403|404)\b/.test(JSON.stringify(receivers));
}

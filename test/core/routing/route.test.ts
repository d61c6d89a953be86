import type { Destination, SourceId } from "@postrider/core";
import { isAllowedByIntegrations, routeCall, type RoutedCall } from "@postrider/core/engine";
import { destinations, instants, integrationObjects } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, destination, laneId, NOW, sourceId } from "../builders.js";

const DAY_MS = 86_400_000;
const call: RoutedCall = { source: sourceId("website"), timestamp: NOW };

const route = (some: readonly Destination[], changes: Partial<RoutedCall> = {}) =>
  routeCall({ ...call, ...changes }, some, DAY_MS, NOW);

describe("routeCall", () => {
  it("delivers to every destination connected to the source, in settings order", () => {
    const some = [destination({ id: laneId("b") }), destination({ id: laneId("a") })];
    expect(route(some)).toEqual({ deliver: ["b", "a"], filtered: [] });
  });

  it("skips destinations of other sources, without a unit", () => {
    const other = destination({ id: laneId("other"), sources: [{ source: sourceId("shop"), mode: "cloud" }] });
    expect(route([other, destination()])).toEqual({ deliver: ["crm"], filtered: [] });
  });

  it("finds its source among several connections", () => {
    const connected = (...ids: readonly string[]) =>
      ids.map((id) => ({ source: sourceId(id), mode: "cloud" as const }));
    expect(route([destination({ sources: connected("shop", "website") })]).deliver).toEqual(["crm"]);
  });

  it("has one unit without a destination if the source has none", () => {
    const nowhere = { deliver: [], filtered: [{ destination: null, reason: "no-destination" }] };
    expect(route([])).toEqual(nowhere);
    expect(route([destination({ sources: [] })])).toEqual(nowhere);
  });

  it("filters by the call's integrations object, by each destination's own name", () => {
    const some = [destination(), destination({ id: laneId("mail"), name: "Mail" })];
    expect(route(some, { integrations: { Mail: false } })).toEqual({
      deliver: ["crm"],
      filtered: [{ destination: "mail", reason: "integrations" }],
    });
  });

  it("filters disabled destinations (law 40)", () => {
    expect(route([destination({ enabled: false })])).toEqual({
      deliver: [],
      filtered: [{ destination: "crm", reason: "destination-off" }],
    });
  });

  it("delivers to a paused destination, where deliveries wait", () => {
    expect(route([destination({ paused: true })]).deliver).toEqual(["crm"]);
  });

  it("treats a call as historical if it is older than a day, not if it is exactly a day old", () => {
    const fresh = destination({ acceptsHistorical: false });
    expect(route([fresh], { timestamp: at(NOW - DAY_MS) }).deliver).toEqual(["crm"]);
    expect(route([fresh], { timestamp: at(NOW - DAY_MS - 1) })).toEqual({
      deliver: [],
      filtered: [{ destination: "crm", reason: "historical" }],
    });
    expect(route([destination()], { timestamp: at(0) }).deliver).toEqual(["crm"]);
  });

  it("has the first of several reasons: integrations, then off, then historical", () => {
    const strict = destination({ enabled: false, acceptsHistorical: false });
    const old = { timestamp: at(0) };
    expect(route([strict], { ...old, integrations: { All: false } }).filtered[0]?.reason).toBe("integrations");
    expect(route([strict], old).filtered[0]?.reason).toBe("destination-off");
  });

  it("makes exactly one unit for each connected destination, filtered only for a reason (laws 39, 40)", () => {
    const sources: readonly SourceId[] = [sourceId("website"), sourceId("shop")];
    const some = fc.uniqueArray(destinations(sources), { maxLength: 4, selector: ({ id }) => id });
    fc.assert(
      fc.property(some, integrationObjects(), instants(), (list, integrations, timestamp) => {
        const { deliver, filtered } = route(list, { integrations, timestamp });
        const connected = list.filter(({ sources: of }) => of.some(({ source }) => source === call.source));
        const isHistorical = NOW - timestamp > DAY_MS;
        const takers = connected.filter(
          ({ name, enabled, acceptsHistorical }) =>
            enabled && isAllowedByIntegrations(integrations, name) && (acceptsHistorical || !isHistorical),
        );
        expect(deliver).toEqual(takers.map(({ id }) => id));
        expect(deliver.length + filtered.length).toBe(Math.max(1, connected.length));
      }),
    );
  });
});

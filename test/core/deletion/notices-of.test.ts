import type { Destination } from "@postrider/core";
import { noticeTargetsOf } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { destination, laneId, source, sourceId, workspace } from "../builders.js";

function connected(id: string, sources: readonly string[], changes: Partial<Destination> = {}): Destination {
  return destination({
    id: laneId(id),
    sources: sources.map((one) => ({ source: sourceId(one), mode: "cloud" })),
    ...changes,
  });
}

const SETTINGS = workspace({
  sources: [source("website"), source("shop"), source("lonely")],
  destinations: [
    connected("crm", ["website", "shop"]),
    connected("mail", ["website"]),
    connected("off", ["website", "lonely"], { enabled: false }),
  ],
});

describe("noticeTargetsOf", () => {
  it("has every enabled destination, for each source that it is connected to", () => {
    expect(noticeTargetsOf(null, SETTINGS)).toEqual([
      { source: "website", destinations: ["crm", "mail"] },
      { source: "shop", destinations: ["crm"] },
    ]);
  });

  it("has only the given sources, each once", () => {
    const named = [sourceId("shop"), sourceId("lonely"), sourceId("shop")];
    expect(noticeTargetsOf(named, SETTINGS)).toEqual([{ source: "shop", destinations: ["crm"] }]);
  });

  it("has paused destinations, which get the notice later", () => {
    const paused = workspace({ destinations: [connected("crm", ["website"], { paused: true })] });
    expect(noticeTargetsOf(null, paused)).toEqual([{ source: "website", destinations: ["crm"] }]);
  });

  it("has no destination for a source that is no longer in the settings", () => {
    expect(noticeTargetsOf([sourceId("gone")], SETTINGS)).toEqual([]);
  });
});

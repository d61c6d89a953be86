// Laws of every config: all problems are reported at once, none shows the value that was found, and nothing is thrown.

import { decodeConfig, decodeWorkspace } from "@postrider/relay/settings";
import { jsonValues, nastyKeys, nastyStrings, workspaces } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileOf, numbersOf, replaceAt } from "./workspace-files.js";

const CANARY = "canary-7f3a";

function places(value: unknown): readonly string[] {
  const result = decodeConfig(value);
  return result.kind === "refused" ? result.problems.map(({ code, path }) => `${code} ${path}`) : [];
}

describe("any workspace that core accepts", () => {
  it("is read back from its file, secrets included", () => {
    fc.assert(
      fc.property(workspaces(), (workspace) => {
        const file = fileOf(workspace);
        const result = decodeWorkspace(file);
        expect(result.kind).toBe("ok");
        if (result.kind === "refused") return;
        // Fields that the file leaves out have their defaults; all others are as in the file.
        const { sources, destinations, retention, notify } = file;
        expect(fileOf(result.value)).toMatchObject({ sources, destinations, retention, notify });
        expect(result.value.delivery).toEqual({ ...numbersOf(workspace.delivery), growth: 2, jitter: 0.5 });
      }),
    );
  });
});

describe("problems", () => {
  const broken = {
    colour: 1,
    listen: { port: 70_000, hots: 1 },
    sources: [{ id: "website" }, { id: "shop", writeKey: "" }],
    destinations: [
      { id: "a", name: "All", sources: ["shop"], endpoints: [{ url: "https://e.com" }], sharedSecret: "", tint: 2 },
      { id: "b", sources: [1], endpoints: [{ url: "ftp://e.com" }] },
      { id: "c", sources: ["nobody"], endpoints: [{ url: "https://e.com", headers: { Host: "x" } }] },
    ],
    delivery: { leaseMs: 1, pace: 2 },
    retention: { deadHours: "x" },
  };

  it("are reported at once: unknown keys, wrong types and broken rules side by side", () => {
    expect([...places(broken)].sort()).toEqual([
      "below-minimum delivery.leaseMs",
      "empty-secret destinations[0].sharedSecret",
      "empty-write-key sources[1].writeKey",
      "missing sources[0].writeKey",
      "reserved-header destinations[2].endpoints[0].headers.Host",
      "reserved-name destinations[0].name",
      "unknown-key colour",
      "unknown-key delivery.pace",
      "unknown-key destinations[0].tint",
      "unknown-key listen.hots",
      "wrong-type destinations[1].sources[0]",
      "wrong-type listen.port",
      "wrong-type retention.deadHours",
    ]);
  });

  it("do not include unknown sources of a destination if a source could not be read", () => {
    expect(places(broken).filter((place) => place.startsWith("unknown-source"))).toEqual([]);
    const known = { ...broken, sources: [{ id: "shop", writeKey: "k" }] };
    expect(places(known)).toContain("unknown-source destinations[2].sources[0]");
    expect(places({ ...broken, sources: {} }).filter((place) => place.startsWith("unknown-source"))).toEqual([]);
  });

  it("never hide one another: a second unknown key is reported like the first", () => {
    fc.assert(
      fc.property(workspaces(), fc.uniqueArray(nastyKeys(), { maxLength: 3 }), (workspace, keys) => {
        const known = ["sources", "destinations", "delivery", "retention", "listen", "store", "apiToken", "network"];
        const unknown = keys.filter((key) => !known.includes(key));
        const extra = Object.fromEntries(unknown.map((key) => [key, 1]));
        const file = Object.fromEntries([...Object.entries(fileOf(workspace)), ...Object.entries(extra)]);
        expect(places(file).length).toBe(unknown.length);
        expect(places({ ...file, listen: 5 }).length).toBe(unknown.length + 1);
      }),
    );
  });

  it("point at a place that can be found in the file", () => {
    fc.assert(
      fc.property(workspaces(), fc.nat({ max: 60 }), jsonValues(), (workspace, at, value) => {
        const file = replaceAt(fileOf(workspace), at, () => value);
        for (const place of places(file)) expect(place).toMatch(/^[a-z-]+ ($|[A-Za-z_$]|\[")/);
      }),
    );
  });

  it("never show the value that was found, at any place", () => {
    const canaries = fc.constantFrom<unknown>(CANARY, [CANARY], { id: CANARY }, [{ url: CANARY }], Symbol(CANARY));
    fc.assert(
      fc.property(workspaces(), fc.nat({ max: 60 }), canaries, (workspace, at, canary) => {
        const result = decodeConfig(replaceAt(fileOf(workspace), at, () => canary));
        if (result.kind === "refused") expect(JSON.stringify(result)).not.toContain(CANARY);
      }),
      { numRuns: 500 },
    );
  });

  it("are reported for any value, without an exception", () => {
    const key = fc.constantFrom("listen", "store", "sources", "destinations", "delivery", "retention", "network", "x");
    const anything = fc.oneof(fc.anything(), fc.dictionary(key, fc.oneof(fc.anything(), nastyStrings(), jsonValues())));
    fc.assert(
      fc.property(anything, (value) => {
        const result = decodeConfig(value);
        if (result.kind === "refused") expect(result.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });
});

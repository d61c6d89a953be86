// The problems of a bad config: each has a code and its place in the file.

import { decodeConfig, decodeWorkspace } from "@postrider/relay/settings";
import type { Problem } from "@postrider/core";
import { describe, expect, it } from "vitest";

const SOURCE = { id: "website", writeKey: "wk" };
const DESTINATION = { id: "crm", sources: ["website"], endpoints: [{ url: "https://example.com/hook" }] };

/** A valid config of one source and one destination, with these changes. */
function configWith(destination: object, source: object = {}): object {
  return { sources: [{ ...SOURCE, ...source }], destinations: [{ ...DESTINATION, ...destination }] };
}

function problems(value: unknown): readonly Problem[] {
  const result = decodeConfig(value);
  return result.kind === "refused" ? result.problems : [];
}

function row(value: object, path: string): readonly [object, string] {
  return [value, path];
}

function places(value: unknown): readonly string[] {
  return problems(value).map(({ code, path }) => `${code} ${path}`);
}

describe("the shape of a config", () => {
  it.each([null, undefined, "x", 1, [], [[]]])("is an object, not %o", (value) => {
    expect(problems(value)).toEqual([{ code: "wrong-type", path: "", expected: "an object" }]);
  });

  it.each([
    [{ colour: 1 }, "unknown-key colour"],
    [{ "api token": 1 }, 'unknown-key ["api token"]'],
    [JSON.parse('{"__proto__":{}}'), "unknown-key __proto__"],
    [{ listen: { hots: 1 } }, "unknown-key listen.hots"],
    [{ sources: [SOURCE, { id: "b", writeKey: "k", key: 1 }] }, "unknown-key sources[1].key"],
    [configWith({ secret: "x" }), "unknown-key destinations[0].secret"],
    [configWith({ sources: [{ source: "website", kind: "cloud" }] }), "unknown-key destinations[0].sources[0].kind"],
    [
      configWith({ endpoints: [{ url: "https://e.com", Headers: {} }] }),
      "unknown-key destinations[0].endpoints[0].Headers",
    ],
    [{ delivery: { backoff: 2 } }, "unknown-key delivery.backoff"],
    [{ retention: { days: 1 } }, "unknown-key retention.days"],
    [{ network: { deny: [] } }, "unknown-key network.deny"],
    [configWith({}, { rateLimit: { perSecond: 1, perMinute: 1 } }), "unknown-key sources[0].rateLimit.perMinute"],
  ])("has no unknown key: %j", (value, place) => {
    expect(places(value)).toEqual([place]);
  });

  it("names the keys that there are", () => {
    expect(problems({ listen: { hots: 1 } })[0]?.expected).toBe("one of the keys host, port; did you mean host?");
  });

  it.each([
    [{ port: 80 }, "port is a key of listen"],
    [{ retention: { timeoutMs: 5 } }, "timeoutMs is a key of delivery"],
    [configWith({ url: "https://e.com" }), "url is a key of destinations[].endpoints[]"],
    [configWith({}, { apiToken: "x" }), "apiToken is a key of the whole config"],
  ])("tells where a key belongs that is in the wrong object: %j", (value, where) => {
    expect(problems(value)[0]?.expected.endsWith(`; ${where}`)).toBe(true);
  });

  it("does not tell where a key belongs that has several places, or that a workspace has not", () => {
    const read = decodeWorkspace({ apiToken: "x" });
    const ofWorkspace = read.kind === "refused" ? read.problems : [];
    expect(ofWorkspace.map(({ path }) => path)).toEqual(["apiToken"]);
    for (const { expected } of [...ofWorkspace, ...problems({ rateLimit: {} })]) {
      expect(expected).toMatch(/^one of the keys (?!.* is a key of )/);
    }
  });

  it.each([
    [{ sources: [{ writeKey: "k" }] }, "missing sources[0].id"],
    [{ sources: [{ id: "a" }] }, "missing sources[0].writeKey"],
    [{ sources: [{ id: "a", writeKey: undefined }] }, "missing sources[0].writeKey"],
    [configWith({}, { rateLimit: { burst: 1 } }), "missing sources[0].rateLimit.perSecond"],
    [configWith({ rateLimit: { burst: 1 } }), "missing destinations[0].rateLimit.perSecond"],
    [{ destinations: [{ sources: [], endpoints: DESTINATION.endpoints }] }, "missing destinations[0].id"],
    [{ destinations: [{ id: "a", endpoints: DESTINATION.endpoints }] }, "missing destinations[0].sources"],
    [{ destinations: [{ id: "a", sources: [] }] }, "missing destinations[0].endpoints"],
    [{ destinations: [{ id: "a", sources: [], endpoints: [{}] }] }, "missing destinations[0].endpoints[0].url"],
    [configWith({ sources: [{ mode: "cloud" }] }), "missing destinations[0].sources[0].source"],
  ])("has all that is required: %j", (value, place) => {
    expect(places(value)).toEqual([place]);
  });

  const wrong: readonly (readonly [value: object, path: string])[] = [
    [{ listen: "127.0.0.1:80" }, "listen"],
    [{ listen: { host: "" } }, "listen.host"],
    [{ listen: { host: 1 } }, "listen.host"],
    ...[-1, 65_536, 80.5, "80", null, NaN].map((port) => row({ listen: { port } }, "listen.port")),
    ...["", "memory", "memory:x", "sqlite", "sqlite:", "postgres:x", 1, null].map((store) => row({ store }, "store")),
    ...["", 1, null, {}, "x".repeat(15), " ".repeat(16)].map((apiToken) => row({ apiToken }, "apiToken")),
    [{ sources: {} }, "sources"],
    [{ sources: null }, "sources"],
    [{ sources: [null] }, "sources[0]"],
    [{ sources: [{ ...SOURCE, id: 1 }] }, "sources[0].id"],
    [{ sources: [{ ...SOURCE, name: null }] }, "sources[0].name"],
    [{ sources: [{ ...SOURCE, writeKey: 1 }] }, "sources[0].writeKey"],
    ...[10, "10", null, []].map((rateLimit) => row(configWith({}, { rateLimit }), "sources[0].rateLimit")),
    ...["10", null, NaN, Infinity].flatMap((value) => [
      row(configWith({}, { rateLimit: { perSecond: value } }), "sources[0].rateLimit.perSecond"),
      row(configWith({}, { rateLimit: { perSecond: 1, burst: value } }), "sources[0].rateLimit.burst"),
    ]),
    [{ destinations: {} }, "destinations"],
    [{ destinations: ["crm"] }, "destinations[0]"],
    ...["enabled", "paused", "acceptsHistorical", "standardWebhooks"].map((key) =>
      row(configWith({ [key]: "yes" }), `destinations[0].${key}`),
    ),
    [configWith({ name: 1 }), "destinations[0].name"],
    [configWith({ sources: "website" }), "destinations[0].sources"],
    [configWith({ sources: [1] }), "destinations[0].sources[0]"],
    [configWith({ sources: [{ source: 1 }] }), "destinations[0].sources[0].source"],
    [configWith({ sources: [{ source: "website", mode: "Cloud" }] }), "destinations[0].sources[0].mode"],
    [configWith({ endpoints: "https://e.com" }), "destinations[0].endpoints"],
    [configWith({ endpoints: ["https://e.com"] }), "destinations[0].endpoints[0]"],
    [configWith({ endpoints: [{ url: 1 }] }), "destinations[0].endpoints[0].url"],
    [configWith({ endpoints: [{ url: "https://e.com", headers: [] }] }), "destinations[0].endpoints[0].headers"],
    [
      configWith({ endpoints: [{ url: "https://e.com", headers: { "X-N": 1 } }] }),
      'destinations[0].endpoints[0].headers["X-N"]',
    ],
    ...[1, null, {}, true, []].map((sharedSecret) => row(configWith({ sharedSecret }), "destinations[0].sharedSecret")),
    [configWith({ sharedSecret: ["a", 1] }), "destinations[0].sharedSecret[1]"],
    [{ delivery: [] }, "delivery"],
    ...[1.5, "5000", null, Infinity].map((timeoutMs) => row({ delivery: { timeoutMs } }, "delivery.timeoutMs")),
    [{ retention: 24 }, "retention"],
    ...["24", NaN, null].map((deadHours) => row({ retention: { deadHours } }, "retention.deadHours")),
    [{ trustedProxies: "10.0.0.0/8" }, "trustedProxies"],
    [{ trustedProxies: ["::1", "proxy.example.com"] }, "trustedProxies[1]"],
    [{ senderThread: "yes" }, "senderThread"],
    [{ console: "yes" }, "console"],
    [{ viewerToken: "short" }, "viewerToken"],
    [{ sealingKeys: "x".repeat(16) }, "sealingKeys"],
    [{ sealingKeys: ["x".repeat(16), "short"] }, "sealingKeys[1]"],
    [{ settingsReferences: ["env:POSTRIDER_CRM"] }, "settingsReferences[0]"],
    [{ settingsReferences: ["POSTRIDER_CRM", "DATABASE_URL"] }, "settingsReferences[1]"],
    [{ settingsReferences: ["secrets/../x"] }, "settingsReferences[0]"],
    [{ network: [] }, "network"],
    [{ network: { allow: "127.0.0.1" } }, "network.allow"],
    [{ network: { allow: ["::1", "localhost"] } }, "network.allow[1]"],
    [{ network: { ca: ["./ca.pem"] } }, "network.ca[0]"],
    [{ network: { maxConnectionAgeMs: 0 } }, "network.maxConnectionAgeMs"],
    [{ network: { maxConnectionAgeMs: 0.5 } }, "network.maxConnectionAgeMs"],
    [{ network: { maxConnectionAgeMs: 86_400_001 } }, "network.maxConnectionAgeMs"],
  ];

  it.each(wrong)("has the right types: %j", (value, path) => {
    expect(places(value)).toEqual([`wrong-type ${path}`]);
    // It says in words what to write instead, or names the only word that is valid.
    expect(problems(value)[0]?.expected).toMatch(/^(cloud|\S+ \S.*)$/);
  });
});

describe("core's rules", () => {
  it.each([
    [configWith({}, { writeKey: "sha256:" }), "bad-write-key sources[0].writeKey"],
    [configWith({}, { rateLimit: { perSecond: -1 } }), "not-positive sources[0].rateLimit.perSecond"],
    [configWith({ rateLimit: { perSecond: 0 } }), "not-positive destinations[0].rateLimit.perSecond"],
    [configWith({}, { rateLimit: { perSecond: 1, burst: 0 } }), "below-minimum sources[0].rateLimit.burst"],
    [configWith({ sharedSecret: " " }), "empty-secret destinations[0].sharedSecret"],
    [configWith({ sharedSecret: "" }), "empty-secret destinations[0].sharedSecret"],
    [configWith({ sharedSecret: ["new", ""] }), "empty-secret destinations[0].sharedSecret[1]"],
    [configWith({ sources: ["website", "blog"] }), "unknown-source destinations[0].sources[1]"],
    [configWith({ sources: ["__proto__"] }), "unknown-source destinations[0].sources[0]"],
    [
      configWith({ sources: [{ source: "website", mode: "device" }] }),
      "device-mode-not-offered destinations[0].sources[0].mode",
    ],
    [configWith({ name: "All" }), "reserved-name destinations[0].name"],
    [configWith({ endpoints: [] }), "no-endpoints destinations[0].endpoints"],
    [configWith({ endpoints: [{ url: "ftp://e.com" }] }), "bad-url destinations[0].endpoints[0].url"],
    [
      configWith({ endpoints: [{ url: "https://e.com", headers: { Host: "x" } }] }),
      "reserved-header destinations[0].endpoints[0].headers.Host",
    ],
    [
      configWith({ endpoints: [{ url: "https://e.com", headers: { "X-A": "a\r\nb" } }] }),
      'bad-header-value destinations[0].endpoints[0].headers["X-A"]',
    ],
    [{ sources: [SOURCE, { ...SOURCE, writeKey: "other" }] }, "duplicate-id sources[1].id"],
    [{ delivery: { timeoutMs: 0 } }, "not-positive delivery.timeoutMs"],
    [{ delivery: { leaseMs: 9_999 } }, "below-minimum delivery.leaseMs"],
    [{ delivery: { firstRetryMs: 10, maxRetryMs: 9 } }, "below-minimum delivery.maxRetryMs"],
    [{ delivery: { schedule: { name: "ours", next: "a function" } } }, "wrong-type delivery.schedule"],
    [{ delivery: { schedule: "gentle" } }, "wrong-type delivery.schedule"],
    [{ retention: { deadHours: 0 } }, "not-positive retention.deadHours"],
  ])("are told at their place in the file: %j", (value, place) => {
    expect(places(value)).toEqual([place]);
  });
});

it("a schedule in a file is told to be for code only", () => {
  const read = decodeConfig({ delivery: { schedule: { name: "ours" } } });
  const [problem] = read.kind === "refused" ? read.problems : [];
  expect(problem?.expected).toContain("which only code can give, to createPostrider or createRelay");
});

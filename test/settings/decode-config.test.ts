// Config files: the meaning of a full and of an empty one. Bad ones are tested in decode-config.problems.test.ts.

import { type Config, decodeConfig, decodeWorkspace } from "@postrider/relay/settings";
import type { Endpoint, RateLimit } from "@postrider/core";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";

const PEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

const FULL = {
  listen: { host: "0.0.0.0", port: 0 },
  store: "sqlite:/var/lib/postrider.db",
  apiToken: "t0ken-of-16-and-more",
  sources: [
    { id: "website", name: "Website", writeKey: "wk_website" },
    { id: "shop", writeKey: "wk_shop", rateLimit: { perSecond: 50, burst: 2_500 } },
  ],
  destinations: [
    {
      id: "crm",
      name: "CRM",
      enabled: false,
      paused: true,
      acceptsHistorical: false,
      sources: ["website", { source: "shop", mode: "cloud" }],
      endpoints: [
        { url: "https://example.com/hook", headers: { "X-Team": "growth", Authorization: "Bearer b" } },
        { url: "https://example.com/other" },
      ],
      sharedSecret: "s3cret",
      standardWebhooks: true,
    },
  ],
  delivery: {
    timeoutMs: 4_000,
    retryWindowMs: 10_000,
    firstRetryMs: 100,
    maxRetryMs: 1_000,
    maxRetryAfterMs: 2_000,
    leaseMs: 9_000,
    historicalAfterMs: 60_000,
    growth: 3,
    jitter: 0.25,
  },
  retention: { deliveredHours: 1, deadHours: 0.5 },
  network: { allow: ["127.0.0.0/8", "::1"], ca: [PEM], maxConnectionAgeMs: 5_000 },
};

const SOURCE = { id: "website", writeKey: "wk" };
const DESTINATION = { id: "crm", sources: ["website"], endpoints: [{ url: "https://example.com/hook" }] };

/** A valid config of one source and one destination, with these changes. */
function configWith(destination: object, source: object = {}): object {
  return { sources: [{ ...SOURCE, ...source }], destinations: [{ ...DESTINATION, ...destination }] };
}

function decoded(value: unknown): Config {
  const result = decodeConfig(value);
  if (result.kind === "refused") throw new Error(JSON.stringify(result.problems));
  return result.value;
}

describe("a full config", () => {
  const { workspace, server } = decoded(FULL);

  it("has the settings for listening, storage and network", () => {
    const { apiToken, ...rest } = server;
    expect(apiToken?.reveal()).toBe("t0ken-of-16-and-more");
    expect(rest).toEqual({
      listen: { host: "0.0.0.0", port: 0 },
      store: { kind: "sqlite", path: "/var/lib/postrider.db" },
      settings: "file",
      console: true,
      senderThread: false,
      network: { allow: ["127.0.0.0/8", "::1"], ca: [PEM], maxConnectionAgeMs: 5_000 },
    });
  });

  it("has the proxies that are to be trusted, if any are named", () => {
    const trusted = (file: object): unknown => {
      const read = decodeConfig(file);
      return read.kind === "ok" ? read.value.server.trustedProxies : read;
    };
    expect(trusted({ trustedProxies: ["10.0.0.0/8", "::1"] })).toEqual(["10.0.0.0/8", "::1"]);
    expect(trusted({ trustedProxies: [] })).toEqual([]);
    expect(trusted({})).toBeUndefined();
  });

  it("says whether a separate thread sends", () => {
    expect(decoded({ senderThread: true }).server.senderThread).toBe(true);
    expect(decoded({}).server.senderThread).toBe(false);
    expect(decoded({ console: false }).server.console).toBe(false);
  });

  it("names its sources, by their id if they have no name", () => {
    expect(workspace.sources.map(({ id, name, writeKey }) => [id, name, writeKey.reveal()])).toEqual([
      ["website", "Website", "wk_website"],
      ["shop", "shop", "wk_shop"],
    ]);
  });

  it("describes its destinations", () => {
    const [{ secrets, endpoints, ...rest }] = [...workspace.destinations] as [(typeof workspace.destinations)[number]];
    expect(secrets.map((secret) => secret.reveal())).toEqual(["s3cret"]);
    expect(rest).toEqual({
      id: "crm",
      name: "CRM",
      enabled: false,
      paused: true,
      acceptsHistorical: false,
      standardWebhooks: true,
      sources: [
        { source: "website", mode: "cloud" },
        { source: "shop", mode: "cloud" },
      ],
    });
    expect(endpoints.map(readable)).toEqual([
      {
        url: "https://example.com/hook",
        headers: [
          ["X-Team", "growth"],
          ["Authorization", "Bearer b"],
        ],
      },
      { url: "https://example.com/other", headers: [] },
    ]);
  });

  it("limits the sources that have a rate", () => {
    expect(workspace.sources.map(({ rateLimit }) => rateLimit)).toEqual([undefined, { perSecond: 50, burst: 2_500 }]);
  });

  it("sets the numbers of delivery", () => {
    expect(workspace.delivery).toEqual(FULL.delivery);
    expect(workspace.retention).toEqual({ deliveredHours: 1, deadHours: 0.5 });
  });

  it("shows no secret when printed", () => {
    for (const shown of [JSON.stringify(decoded(FULL)), inspect(decoded(FULL), { depth: Infinity, showHidden: true })])
      expect(shown).not.toMatch(/s3cret|t0ken-of-16-and-more|wk_|Bearer/);
  });
});

describe("a source", () => {
  const limitOf = (rateLimit: object): RateLimit | undefined =>
    decoded(configWith({}, { rateLimit })).workspace.sources[0]?.rateLimit;

  it("without a burst may make the calls of one second at once, and at least one call", () => {
    expect(limitOf({ perSecond: 20 })).toEqual({ perSecond: 20, burst: 20 });
    expect(limitOf({ perSecond: 0.1 })).toEqual({ perSecond: 0.1, burst: 1 });
  });

  it("has the same default for its burst as a destination", () => {
    const limit = (rateLimit: object) => decoded(configWith({ rateLimit })).workspace.destinations[0]?.rateLimit;
    expect(limit({ perSecond: 20 })).toEqual({ perSecond: 20, burst: 20 });
    expect(limit({ perSecond: 0.1, burst: 3 })).toEqual({ perSecond: 0.1, burst: 3 });
    expect(decoded(configWith({})).workspace.destinations[0]).not.toHaveProperty("rateLimit");
  });

  it("may give its key as a digest", () => {
    const writeKey = `sha256:${"0a".repeat(32)}`;
    expect(decoded(configWith({}, { writeKey })).workspace.sources[0]?.writeKey.reveal()).toBe(writeKey);
  });
});

/** Headers with their values as text. */
function readable({ url, headers }: Endpoint): object {
  return { url, headers: headers.map(([name, value]) => [name, typeof value === "string" ? value : value.reveal()]) };
}

describe("an empty config", () => {
  const { workspace, server } = decoded({});

  it("listens on this machine only, stores beside the file, reaches no private address, and has no API", () => {
    expect(server).toEqual({
      listen: { host: "127.0.0.1", port: 8080 },
      store: { kind: "sqlite", path: "./postrider.db" },
      settings: "file",
      console: true,
      senderThread: false,
      network: { allow: [], ca: [], maxConnectionAgeMs: 30_000 },
    });
  });

  it("has the numbers of the specification", () => {
    expect(workspace).toEqual({
      sources: [],
      destinations: [],
      delivery: {
        timeoutMs: 5_000,
        retryWindowMs: 14_400_000,
        firstRetryMs: 5_000,
        maxRetryMs: 900_000,
        maxRetryAfterMs: 300_000,
        leaseMs: 30_000,
        historicalAfterMs: 86_400_000,
        growth: 2,
        jitter: 0.5,
      },
      retention: { deliveredHours: 24, deadHours: 168 },
    });
  });

  it("gives a bare destination its defaults", () => {
    const [destination] = decoded(configWith({})).workspace.destinations;
    expect(destination).toMatchObject({
      name: "Webhooks",
      enabled: true,
      paused: false,
      acceptsHistorical: true,
      standardWebhooks: false,
      secrets: [],
    });
  });

  it("may set one number of a group and leave the others", () => {
    const config = decoded({ delivery: { timeoutMs: 1_000 }, listen: { port: 1 }, retention: { deadHours: 1 } });
    expect(config.workspace.delivery).toMatchObject({ timeoutMs: 1_000, leaseMs: 30_000 });
    expect(config.workspace.retention).toEqual({ deliveredHours: 24, deadHours: 1 });
    expect(config.server.listen).toEqual({ host: "127.0.0.1", port: 1 });
  });
});

describe("stores", () => {
  it.each([
    ["memory:", { kind: "memory" }],
    ["sqlite:./a.db", { kind: "sqlite", path: "./a.db" }],
    ["sqlite:C:\\a.db", { kind: "sqlite", path: "C:\\a.db" }],
  ])("%s is understood", (store, place) => {
    expect(decoded({ store }).server.store).toEqual(place);
  });
});

describe("secrets", () => {
  it("may be several, newest first", () => {
    const secretsOf = (sharedSecret: readonly string[]): unknown =>
      decoded(configWith({ sharedSecret })).workspace.destinations[0]?.secrets.map((secret) => secret.reveal());
    expect(secretsOf(["new", "old"])).toEqual(["new", "old"]);
  });

  it.each(["x", "k".repeat(65), "k\u0000", "\ud83d\ude80", "\ud800", " x", "x".repeat(1_000_000)])(
    "may be any text that is not blank",
    (sharedSecret) => {
      const [destination] = decoded(configWith({ sharedSecret })).workspace.destinations;
      expect(destination?.secrets[0]?.reveal()).toBe(sharedSecret);
    },
  );
});

describe("a workspace by itself", () => {
  it("is decoded for a host that brings its server", () => {
    const { sources, destinations, delivery, retention } = FULL;
    const result = decodeWorkspace({ sources, destinations, delivery, retention });
    expect(JSON.stringify(result)).toBe(JSON.stringify({ kind: "ok", value: decoded(FULL).workspace }));
  });

  it("has no settings of a server", () => {
    const result = decodeWorkspace({ listen: {} });
    expect(result).toEqual({
      kind: "refused",
      problems: [
        {
          code: "unknown-key",
          path: "listen",
          expected: "one of the keys sources, destinations, delivery, retention, notify",
        },
      ],
    });
  });
});

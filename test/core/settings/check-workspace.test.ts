import {
  checkWorkspace,
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DeliveryPolicy,
  type Destination,
  type Problem,
  type RateLimit,
  type Retention,
  type StaticHeader,
} from "@postrider/core";
import { DEFAULT_DESTINATION_NAME } from "@postrider/core/engine";
import { workspaces } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { destination, endpoint, laneId, source, sourceId, workspace } from "../builders.js";

const problems = (changes: Partial<Destination>): readonly Problem[] =>
  checkWorkspace(workspace({ destinations: [destination(changes)] }));
const withHeaders = (...headers: readonly StaticHeader[]) => problems({ endpoints: [endpoint({ headers })] });
const withDelivery = (changes: Partial<DeliveryPolicy>) =>
  checkWorkspace(workspace({ delivery: { ...DEFAULT_DELIVERY, ...changes } }));
const withRateLimit = (rateLimit: RateLimit) => checkWorkspace(workspace({ sources: [{ ...source(), rateLimit }] }));
const withRetention = (changes: Partial<Retention>) =>
  checkWorkspace(workspace({ retention: { ...DEFAULT_RETENTION, ...changes } }));

function problem(code: Problem["code"], path: string, expected: string): Problem {
  return { code, path, expected };
}

describe("checkWorkspace", () => {
  it("finds no problem in valid settings", () => {
    expect(checkWorkspace(workspace())).toEqual([]);
    expect(checkWorkspace(workspace({ sources: [], destinations: [] }))).toEqual([]);
    fc.assert(
      fc.property(workspaces(), (any) => {
        expect(checkWorkspace(any)).toEqual([]);
      }),
    );
  });

  it("has the specification's numbers as defaults", () => {
    expect(DEFAULT_DELIVERY).toEqual({
      retryWindowMs: 14_400_000,
      firstRetryMs: 5_000,
      maxRetryMs: 900_000,
      maxRetryAfterMs: 300_000,
      growth: 2,
      jitter: 0.5,
      timeoutMs: 5_000,
      leaseMs: 30_000,
      historicalAfterMs: 86_400_000,
    });
    expect(DEFAULT_RETENTION).toEqual({ deliveredHours: 24, deadHours: 168 });
    expect(DEFAULT_DESTINATION_NAME).toBe("Webhooks");
  });

  it("reports every problem at once, in the order of the settings", () => {
    const broken = workspace({
      sources: [source(""), source("a", "")],
      destinations: [destination({ id: laneId(""), name: "All" })],
      delivery: { ...DEFAULT_DELIVERY, timeoutMs: 0 },
      retention: { deliveredHours: 0, deadHours: -1 },
    });
    expect(
      checkWorkspace(
        workspace({ sources: [source(".")], destinations: [destination({ id: laneId(".."), sources: [] })] }),
      ),
    ).toEqual([
      problem("reserved-name", "sources[0].id", "an id other than . and .."),
      problem("reserved-name", "destinations[0].id", "an id other than . and .."),
    ]);
    expect(checkWorkspace(broken)).toEqual([
      problem("empty-id", "sources[0].id", "an id"),
      problem("empty-write-key", "sources[1].writeKey", "a write key"),
      problem("empty-id", "destinations[0].id", "an id"),
      problem("reserved-name", "destinations[0].name", "a name other than All, which stands for every destination"),
      problem("unknown-source", "destinations[0].sources[0]", "the id of a source"),
      problem("not-positive", "delivery.timeoutMs", "a number above 0"),
      problem("not-positive", "retention.deliveredHours", "a number above 0"),
      problem("not-positive", "retention.deadHours", "a number above 0"),
    ]);
  });

  it("refuses a write key that another source has with blanks around it", () => {
    const sources = [source("a", "k1"), source("b", " k1\n"), source("c", "\n")];
    expect(checkWorkspace(workspace({ sources, destinations: [] })).map(({ code, path }) => `${code} ${path}`)).toEqual(
      ["empty-write-key sources[2].writeKey", "duplicate-write-key sources[1].writeKey"],
    );
  });

  it("refuses an id or a write key that another source has, at the later one", () => {
    const sources = [source("a", "k1"), source("b", "k1"), source("a", "k2"), source("a", "k1")];
    expect(checkWorkspace(workspace({ sources, destinations: [] }))).toEqual([
      problem("duplicate-id", "sources[2].id", "an id that is used only once; sources[0] has the same"),
      problem("duplicate-id", "sources[3].id", "an id that is used only once; sources[0] has the same"),
      problem(
        "duplicate-write-key",
        "sources[1].writeKey",
        "a write key that no other source has; sources[0] has the same",
      ),
      problem(
        "duplicate-write-key",
        "sources[3].writeKey",
        "a write key that no other source has; sources[0] has the same",
      ),
    ]);
  });

  it("accepts the digest of a write key, and refuses a text that only begins like one", () => {
    const keys = [`sha256:${"0a".repeat(32)}`, "sha256:0a", `sha256:${"0A".repeat(32)}`];
    const sources = keys.map((key, index) => source(String(index), key));
    const expected = "sha256: and 64 lower-case hexadecimal digits";
    expect(checkWorkspace(workspace({ sources, destinations: [] }))).toEqual([
      problem("bad-write-key", "sources[1].writeKey", expected),
      problem("bad-write-key", "sources[2].writeKey", expected),
    ]);
  });

  it("requires the rate limit of a source or a destination to be above 0, with a burst of at least 1", () => {
    expect(withRateLimit({ perSecond: 0.5, burst: 1 })).toEqual([]);
    expect(withRateLimit({ perSecond: 0, burst: 0.9 })).toEqual([
      problem("not-positive", "sources[0].rateLimit.perSecond", "a number above 0"),
      problem("below-minimum", "sources[0].rateLimit.burst", "at least 1, and finite"),
    ]);
    expect(withRateLimit({ perSecond: Infinity, burst: Infinity })).toHaveLength(2);
    expect(problems({ rateLimit: { perSecond: 1, burst: 0 } })).toEqual([
      problem("below-minimum", "destinations[0].rateLimit.burst", "at least 1, and finite"),
    ]);
  });

  it("refuses an id that another destination has, but not a name", () => {
    const destinations = [destination(), destination({ id: laneId("b") }), destination()];
    expect(checkWorkspace(workspace({ destinations }))).toEqual([
      problem("duplicate-id", "destinations[2].id", "an id that is used only once; destinations[0] has the same"),
    ]);
  });

  it("reserves the name All in its exact case", () => {
    expect(problems({ name: "all" })).toEqual([]);
    expect(problems({ name: "" })).toEqual([]);
    expect(problems({ name: "All" })).toHaveLength(1);
  });

  it("refuses connections that are unknown, in device mode, or duplicates", () => {
    const website = { source: sourceId("website"), mode: "cloud" } as const;
    expect(
      problems({ sources: [website, { ...website, mode: "device" }, { source: sourceId("shop"), mode: "cloud" }] }),
    ).toEqual([
      problem("device-mode-not-offered", "destinations[0].sources[1].mode", "cloud"),
      problem("unknown-source", "destinations[0].sources[2]", "the id of a source"),
      problem(
        "duplicate-source",
        "destinations[0].sources[1]",
        "each source once; destinations[0].sources[0] is the same",
      ),
    ]);
    expect(problems({ sources: [] })).toEqual([]);
  });

  it.each(["", " ", "\t\n"])("refuses %j as a secret, at any index", (blank) => {
    expect(problems({ secrets: [createSecret("s"), createSecret(blank)] })).toEqual([
      problem("empty-secret", "destinations[0].secrets[1]", "a secret that is not blank, or none"),
    ]);
  });

  describe("for endpoints", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => endpoint({ url: `https://example.com/${String(index)}` }));

    it("requires one to five", () => {
      expect(problems({ endpoints: [] })).toEqual([
        problem("no-endpoints", "destinations[0].endpoints", "at least 1 endpoint"),
      ]);
      expect(problems({ endpoints: many(5) })).toEqual([]);
      expect(problems({ endpoints: many(6) })).toEqual([
        problem("too-many-endpoints", "destinations[0].endpoints", "at most 5 endpoints"),
      ]);
    });

    it("refuses a bad URL, with its path", () => {
      expect(problems({ endpoints: [endpoint(), endpoint({ url: "ftp://example.com" })] })).toEqual([
        problem(
          "bad-url",
          "destinations[0].endpoints[1].url",
          "a full http or https URL without spaces, such as https://example.com/hook",
        ),
      ]);
    });

    it("refuses one URL twice, also when written differently, but does not compare bad ones", () => {
      const urls = ["https://example.com", "nonsense", "HTTPS://EXAMPLE.com:443/", "nonsense"];
      const at = "destinations[0].endpoints";
      expect(problems({ endpoints: urls.map((url) => endpoint({ url })) })).toEqual([
        problem("bad-url", `${at}[1].url`, "a full http or https URL without spaces, such as https://example.com/hook"),
        problem("bad-url", `${at}[3].url`, "a full http or https URL without spaces, such as https://example.com/hook"),
        problem(
          "duplicate-endpoint",
          `${at}[2].url`,
          "each URL once, also when written differently; destinations[0].endpoints[0] has the same",
        ),
      ]);
    });
  });

  describe("for static headers", () => {
    const at = "destinations[0].endpoints[0].headers";

    it("accepts five, with any name and value that is valid in HTTP", () => {
      expect(
        withHeaders(
          ["X-Team", "growth"],
          ["Authorization", "Bearer a b\tc"],
          ["!#$%&'*+.^_`|~-09azAZ", ""],
          ["x-latin", "caf\u00e9 \u0080\u00ff ~"],
          ["__proto__", "x"],
        ),
      ).toEqual([]);
    });

    it("refuses a sixth", () => {
      const six = ["a", "b", "c", "d", "e", "f"].map((name): StaticHeader => [name, "v"]);
      expect(withHeaders(...six)).toEqual([problem("too-many-headers", at, "at most 5 headers")]);
      expect(withHeaders(...six.slice(1))).toEqual([]);
    });

    it.each([
      "Host",
      "content-length",
      "Content-Type",
      "Transfer-Encoding",
      "Connection",
      "Keep-Alive",
      "TE",
      "Trailer",
      "Upgrade",
      "Expect",
      "User-Agent",
      "Accept-Encoding",
      "X-SIGNATURE",
      "Proxy-Authorization",
      "proxy-",
      "Webhook-Id",
    ])("reserves %s, in any case", (name) => {
      const [only, ...more] = withHeaders([name, "v"]);
      expect(more).toEqual([]);
      expect(only).toMatchObject({ code: "reserved-header", expected: "a header that delivery does not set itself" });
      expect(only?.path).toContain(name);
    });

    it.each(["Hosts", "X-Host", "X-Proxy-Id", "My-Webhook-Id", "Webhook", "Proxy", "Te2", "X-Signature-2"])(
      "does not reserve %s",
      (name) => {
        expect(withHeaders([name, "v"])).toEqual([]);
      },
    );

    it.each(["", " ", "X Team", "X-Team:", "X-Té", "X\r\nY", "X\u0000", "(x)", "x,", "X-Team\n"])(
      "refuses the name %j",
      (name) => {
        expect(withHeaders([name, "v"])).toMatchObject([
          { code: "bad-header-name", expected: "a header name: letters, digits and hyphens" },
        ]);
      },
    );

    it.each(["a\r\nb", "a\nb", "a\u0000", "\u0001", "\u001f", "\u007f", "€", "\u0100", "a\n"])(
      "refuses the value %j, and does not show it",
      (value) => {
        const expected = "Latin-1 text without control characters";
        expect(withHeaders(["X-Team", value])).toEqual([problem("bad-header-value", `${at}["X-Team"]`, expected)]);
      },
    );

    it("checks secret values, and does not show them", () => {
      expect(withHeaders(["X-Team", createSecret("growth")])).toEqual([]);
      expect(withHeaders(["X-Team", createSecret("a\r\nb")])).toEqual([
        problem("bad-header-value", `${at}["X-Team"]`, "Latin-1 text without control characters"),
      ]);
    });

    it("refuses a name twice, whatever its case, at the later one", () => {
      expect(withHeaders(["X-Team", "a"], ["x-team", "b"], ["Other", "c"])).toEqual([
        problem("duplicate-header", `${at}["x-team"]`, "each header once, whatever its case"),
      ]);
    });

    it("reports all problems of one header", () => {
      expect(withHeaders(["Host", "a"], ["HOST", "\n"]).map(({ code }) => code)).toEqual([
        "reserved-header",
        "reserved-header",
        "bad-header-value",
        "duplicate-header",
      ]);
    });
  });

  describe("for the schedule of delivery", () => {
    const next = () => 1_000;

    it("accepts none, an object with a name and a function, or an instance of a class", () => {
      class Steady {
        readonly name = "steady";
        next(): number {
          return 1_000;
        }
      }
      expect(withDelivery({})).toEqual([]);
      expect(withDelivery({ schedule: { name: "own", next } })).toEqual([]);
      expect(withDelivery({ schedule: new Steady() })).toEqual([]);
    });

    it.each<[string, unknown]>([
      ["null", null],
      ["text", "own"],
      ["a number", 5],
      ["a bare function that has all else", Object.assign(function own() {}, { next })],
      ["no name", { next }],
      ["a name that is no text", { name: 1, next }],
      ["an empty name", { name: "", next }],
      ["a blank name", { name: " \t", next }],
      ["no function", { name: "own" }],
      ["a function by name", { name: "own", next: "next" }],
    ])("refuses %s, and says who can give one", (_what, schedule) => {
      expect(withDelivery({ schedule } as never)).toEqual([
        problem(
          "wrong-type",
          "delivery.schedule",
          "a schedule: an object with a name and a function next, which only code can give, to createPostrider or createRelay",
        ),
      ]);
    });
  });

  describe("for the numbers of delivery", () => {
    it.each(["timeoutMs", "retryWindowMs", "firstRetryMs", "historicalAfterMs"] as const)(
      "wants %s above 0",
      (name) => {
        for (const value of [0, -1, NaN, -Infinity]) {
          expect(withDelivery({ [name]: value })).toContainEqual(
            problem("not-positive", `delivery.${name}`, "a number above 0"),
          );
        }
      },
    );

    it.each([
      "timeoutMs",
      "retryWindowMs",
      "firstRetryMs",
      "maxRetryMs",
      "maxRetryAfterMs",
      "leaseMs",
      "historicalAfterMs",
    ] as const)("requires %s to be finite", (name) => {
      expect(withDelivery({ [name]: Infinity })).toContainEqual(
        problem("not-positive", `delivery.${name}`, "a number above 0"),
      );
    });

    it("requires delays to grow, not to shrink", () => {
      expect(withDelivery({ maxRetryMs: 5_000 })).toEqual([]);
      expect(withDelivery({ maxRetryMs: 4_999 })).toEqual([
        problem("below-minimum", "delivery.maxRetryMs", "at least firstRetryMs"),
      ]);
      expect(withDelivery({ growth: 1 })).toEqual([]);
      expect(withDelivery({ growth: 0.9 })).toEqual([
        problem("below-minimum", "delivery.growth", "at least 1, and finite"),
      ]);
    });

    it("requires jitter to lengthen delays, never to shorten them", () => {
      expect(withDelivery({ jitter: 0 })).toEqual([]);
      expect(withDelivery({ jitter: -0.1 })).toEqual([
        problem("below-minimum", "delivery.jitter", "at least 0, and finite"),
      ]);
    });

    it.each(["growth", "jitter"] as const)("requires %s to be finite", (name) => {
      for (const value of [Infinity, NaN]) {
        expect(withDelivery({ [name]: value })).toMatchObject([{ code: "below-minimum", path: `delivery.${name}` }]);
      }
    });

    it("requires a lease to be longer than the receiver's timeout by 5 s", () => {
      expect(withDelivery({ timeoutMs: 1_000, leaseMs: 6_000 })).toEqual([]);
      expect(withDelivery({ timeoutMs: 1_000, leaseMs: 5_999 })).toEqual([
        problem("below-minimum", "delivery.leaseMs", "at least timeoutMs + 5000"),
      ]);
    });

    it("accepts windows of a few seconds, even shorter than the first delay", () => {
      expect(withDelivery({ retryWindowMs: 2_000 })).toEqual([]);
    });
  });

  it.each(["deliveredHours", "deadHours"] as const)("requires retention.%s to be above 0 and finite", (name) => {
    expect(withRetention({ [name]: 0.5 })).toEqual([]);
    for (const value of [0, -1, NaN, Infinity]) {
      expect(withRetention({ [name]: value })).toEqual([
        problem("not-positive", `retention.${name}`, "a number above 0"),
      ]);
    }
  });
});

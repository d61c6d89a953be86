// A check of the suite: each broken adapter must fail exactly the promises that it breaks, by name.

import { createSystemClock } from "@postrider/system";
import { type ContractCase, httpContract, type HttpSupport } from "@postrider/testkit/contracts";
import { describe, expect, it } from "vitest";
import { createPlainHttp, type Flaw, PLAIN_SUPPORTS } from "./plain-http.js";

/** The promises that each flaw breaks. */
const TRIPS: Readonly<Record<Flaw, readonly string[]>> = {
  "follows redirects": ["follows no redirect"],
  "waits for the whole body of a success": ["resolves at the status line of a success, while its body still drips"],
  "keeps an excerpt without bounds": [
    "keeps the first 4,096 bytes of a long failed answer",
    "resolves a failure once 4,096 bytes have come, although the body goes on",
  ],
  "rejects when the connection is refused": ["never rejects, for any behaviour of the receiver"],
  "ignores the deadline": [
    "resolves a failure at the timeout, with what has come",
    "closes the connection of a successful answer that is not complete at the timeout",
    "answers `timeout`, on time, for a receiver that never answers, and closes the connection",
    "answers `timeout`, on time, for a receiver that never starts TLS",
    "answers `timeout`, on time, for headers that come byte by byte",
    "answers `timeout`, on time, for endless interim answers",
  ],
  "counts the deadline anew with every byte": [
    "answers `timeout`, on time, for headers that come byte by byte",
    "answers `timeout`, on time, for endless interim answers",
  ],
  "changes the body": [
    "sends a body of any bytes unchanged, with its length",
    "sends only the view of a larger buffer, and an empty body as an empty one",
    "sends the same bytes each time, and does not change the given ones",
  ],
  "drops a header": ["sends every header with its value as given"],
  "adds an Accept header": ["sends Accept once, as given, and adds no other"],
  "accepts self-signed receivers": [
    "sends nothing to a self-signed receiver",
    "sends nothing to a receiver whose certificate an unknown authority has signed",
  ],
  "reads endless answers to their end": [
    "closes the connection of a success that never ends, long before the timeout",
    "closes the connection of a failure that never ends, long before the timeout",
  ],
  "shares one answer among all": [
    "reports every final status as it came",
    "follows no redirect",
    "reports Retry-After as it came, and its absence",
    "sends normally after each of these failures",
    "sends fifty requests at once, and gives each its answer",
    "lets no request wait for one that hangs",
  ],
  "says timeout of everything": ["answers `invalid-header` for a header that HTTP cannot carry, and sends nothing"],
};

const EVERYTHING: HttpSupport = {
  exactHeaders: true,
  rawAnswers: true,
  boundedFraming: true,
  socketFaults: true,
  certificateFaults: true,
  authorities: true,
  strictTls: true,
  vettedAddresses: true,
  ownResolver: true,
  ownConnections: true,
  close: true,
};

describe.concurrent("the contract suite of the HTTP port", () => {
  for (const [flaw, names] of Object.entries(TRIPS) as [Flaw, readonly string[]][]) {
    it(`catches an adapter that ${flaw}`, async () => {
      const cases = casesFor(flaw).filter(({ name }) => names.includes(name));
      const passed = await Promise.all(cases.map(async (one) => ((await passes(one)) ? [one.name] : [])));
      expect(casesFor(flaw).map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
      expect(passed.flat()).toEqual([]);
    });
  }
});

describe("the contract suite of the HTTP port", () => {
  it("leaves out what an adapter does not support, and says why", async () => {
    const reason = "no separate connections";
    const skipped = casesFor(undefined, { ...EVERYTHING, ownConnections: { reason } }).filter(
      (one) => one.skipped !== undefined,
    );
    expect(skipped).toHaveLength(2);
    for (const one of skipped) {
      expect(one.skipped).toBe(reason);
      expect(one.name).toContain(reason);
      await one.run();
    }
  });

  it("has no two promises of one name", () => {
    const names = casesFor(undefined, EVERYTHING).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  describe("catches nothing in an adapter that is not broken", () => {
    for (const { name, skipped, run } of casesFor()) it.skipIf(skipped !== undefined)(name, run);
  });
});

function casesFor(flaw?: Flaw, supports: HttpSupport = PLAIN_SUPPORTS): readonly ContractCase[] {
  return httpContract({ create: (setting) => createPlainHttp(setting, flaw), clock: createSystemClock, supports });
}

async function passes({ run }: ContractCase): Promise<boolean> {
  try {
    await run();
    return true;
  } catch {
    return false;
  }
}

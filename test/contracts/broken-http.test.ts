// The suite is worth what it catches: each broken adapter must trip over the promises that it breaks, by name.

import { createSystemClock } from "@postrider/system";
import { type ContractCase, httpContract, type HttpSupport } from "@postrider/testkit/contracts";
import { describe, expect, it } from "vitest";
import { createPlainHttp, type Flaw, PLAIN_SUPPORTS } from "./plain-http.js";

/** What each flaw trips over. */
const TRIPS: Readonly<Record<Flaw, readonly string[]>> = {
  "follows redirects": ["follows no redirect"],
  "waits for the whole body of a success": ["resolves at the status line of a success, while its body still drips"],
  "keeps an excerpt without bounds": [
    "keeps the first 4,096 bytes of a long failed answer",
    "resolves a failure once 4,096 bytes are in, though the body goes on",
  ],
  "rejects when the connection is refused": ["never rejects, whatever the receiver does"],
  "ignores the deadline": [
    "resolves a failure when time is up, with what came so far",
    "hangs up on a success that still drips when time is up",
    "says `timeout`, on time, of a receiver that never answers, and hangs up",
    "says `timeout`, on time, of a receiver that never speaks TLS",
    "says `timeout`, on time, of headers that drip in",
    "says `timeout`, on time, of interim answers without end",
  ],
  "counts the deadline anew with every byte": [
    "says `timeout`, on time, of headers that drip in",
    "says `timeout`, on time, of interim answers without end",
  ],
  "changes the body": [
    "sends the body byte for byte, with its length, whatever the bytes",
    "sends a view into a larger buffer as the view, and an empty body as an empty one",
    "sends the same bytes each time, and leaves those that it was given alone",
  ],
  "drops a header": ["sends every header with its value as given"],
  "asks for a kind of answer of its own": ["says Accept once, as given: adds none of its own beside it"],
  "accepts self-signed receivers": [
    "sends nothing to a self-signed receiver",
    "sends nothing to a receiver that an unknown authority vouches for",
  ],
  "reads endless answers to their end": [
    "hangs up on a success that never ends, long before time is up",
    "hangs up on a failure that never ends, long before time is up",
  ],
  "shares one answer among all": [
    "tells every final status as it came",
    "follows no redirect",
    "tells Retry-After as it came, and its absence",
    "goes on as if nothing had been after each of these",
    "carries fifty requests at once, each with its own answer",
    "lets no request wait behind one that hangs",
  ],
  "says timeout of everything": ["says `invalid-header` of a header that HTTP cannot carry, and sends nothing"],
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
    const reason = "no connections of its own";
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

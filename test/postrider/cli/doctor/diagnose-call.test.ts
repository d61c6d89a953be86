import { describe, expect, it } from "vitest";
import {
  type CallAnswers,
  diagnoseCall,
  nextIfEmpty,
} from "../../../../packages/postrider/src/cli/doctor/diagnose-call.js";
import type { SendResult } from "../../../../packages/postrider/src/cli/requests/ask-api.js";

const AT = "2026-01-31T12:00:00.000Z";
const CRM = { destination: "crm", name: "CRM", enabled: true, paused: false, acceptsHistorical: true };
const MAIL = { ...CRM, destination: "mail", name: "Mail", enabled: false };

function told(body: object, status = 200): SendResult {
  return { kind: "answered", status, text: JSON.stringify(body) };
}

function seen(deliveries: number): SendResult {
  return told({ seen: [{ source: "website", messageId: "m1", seenAt: AT, deliveries }] });
}

function page(...deliveries: readonly object[]): SendResult {
  return told({ deliveries, next: null });
}

function delivery(given: object = {}): object {
  const plain = { source: "website", destination: "crm", state: "delivered", acceptedAt: AT, replayOf: null };
  return { ...plain, ...given };
}

function said(asked: Partial<CallAnswers>): readonly string[] {
  const sources = [{ id: "website", destinations: [CRM, MAIL] }];
  const all = { seen: told({ seen: [] }), deliveries: page(), sources, traffic: undefined, ...asked };
  return diagnoseCall(all).map(({ kind, text }) => `${kind}: ${text}`);
}

const ACCEPTED = `the call of website was accepted at ${AT}`;
const NOWHERE = `bad: ${ACCEPTED} and went to no destination: it was filtered. `;
const ARRIVED = "ok: the call to crm was delivered: look on at the receiver";

describe("the findings about a call that was filtered for all destinations", () => {
  const filtered = seen(0);

  it("names, for each destination, what may have filtered it", () => {
    expect(said({ seen: filtered })).toEqual([
      `${NOWHERE}By the settings now: crm is on, so that the "integrations" of the call switched "CRM" off, ` +
        "or crm was off or not yet connected then; mail is off",
    ]);
  });

  it("names historical calls only where a destination does not accept them", () => {
    const sources = [{ id: "website", destinations: [{ ...CRM, acceptsHistorical: false }] }];
    expect(said({ seen: filtered, sources })[0]).toMatch(/, or the call was historical, which crm does not accept$/);
  });

  it("says that no destination is connected, or that the source is gone", () => {
    expect(said({ seen: filtered, sources: [{ id: "website", destinations: [] }] })).toEqual([
      `${NOWHERE}By the settings now no destination is connected to website`,
    ]);
    expect(said({ seen: filtered, sources: [] })).toEqual([`${NOWHERE}The settings now have no source website`]);
  });
});

describe("the findings about a call that was accepted", () => {
  it("have the time, the deliveries, and the destinations without one", () => {
    expect(said({ seen: seen(1), deliveries: page(delivery()) })).toEqual([
      `ok: ${ACCEPTED}`,
      ARRIVED,
      "open: there is no delivery to mail: mail is off",
    ]);
  });

  it("do not report a removed delivery as filtered, or a replay as one of the first deliveries", () => {
    const replay = delivery({ replayOf: "1" });
    for (const deliveries of [page(delivery()), page(replay, delivery())])
      expect(said({ seen: seen(2), deliveries })).not.toContainEqual(expect.stringContaining("no delivery to mail"));
  });

  it("report that all deliveries were removed", () => {
    expect(said({ seen: seen(2) })).toEqual([
      `open: ${ACCEPTED}; its 2 deliveries have been removed after the retention`,
    ]);
  });

  it("use the deliveries of a call that is older than the dedupe window", () => {
    const sources = [{ id: "website", destinations: [CRM, MAIL] }];
    expect(said({ deliveries: page(delivery()), sources })).toEqual([`ok: ${ACCEPTED}`, ARRIVED]);
  });

  it("speaks of each source that has the id", () => {
    const both = [
      { source: "website", seenAt: AT, deliveries: 0 },
      { source: "shop", seenAt: AT, deliveries: 1 },
    ];
    const asked = { seen: told({ seen: both }), deliveries: page(delivery({ source: "shop" })), sources: undefined };
    expect(said(asked).map((line) => line.slice(0, 30))).toEqual([
      "bad: the call of website was a",
      "ok: the call of shop was accep",
      "ok: the call to crm was delive",
    ]);
  });
});

describe("the findings about a call that was not seen", () => {
  const traffic = (counts: Readonly<Record<string, number>>) => ({
    source: "website",
    count: (name: string) => counts[name] ?? 0,
  });

  it("name suppression and shed calls only if their counters are above 0", () => {
    expect(said({ traffic: traffic({}) })).toEqual([
      "bad: no call of website with this messageId was seen in the last 24 hours: it was never made, it is older, " +
        "or it was refused (the log of the server has a line call-CODE with its source, or unknown-key)",
    ]);
    expect(said({ traffic: traffic({ shed: 1 }) })[0]).toContain(
      ", it is older, it was shed (the log of the server has a line shed), or it was refused",
    );
    expect(said({ traffic: traffic({ suppressed: 1 }) })[0]).toContain(", its user is suppressed, or it was refused");
  });

  it("do not report missing deliveries if further pages were not read", () => {
    const deliveries = told({ deliveries: [], next: "c1" });
    expect(nextIfEmpty(deliveries)).toBe("c1");
    expect(nextIfEmpty(told({ deliveries: [delivery()], next: "c1" }))).toBeUndefined();
    expect(said({ deliveries })).toEqual([
      "open: no call with this messageId was seen in the last 24 hours, nor is it among the newest deliveries; there are " +
        "more than are looked through here: follow the pages of GET /api/deliveries?messageId=",
    ]);
  });
});

describe("the findings if a server does not answer all requests", () => {
  const refused = told({ code: "not-found", message: "no such path" }, 404);

  it("use only deliveries if what was seen is not answered, and contain the answer", () => {
    expect(said({ seen: refused, deliveries: page(delivery()) })).toEqual([ARRIVED]);
    expect(said({ seen: refused })).toEqual([
      "open: what became of the call: the server answered 404 not-found: no such path",
    ]);
    expect(said({ deliveries: refused })).toEqual([
      "open: what became of the call: the server answered 404 not-found: no such path",
    ]);
  });
});

describe("the findings about a delivery without a recorded attempt", () => {
  const untried = { detail: null, attemptCount: 0 };

  it("name the reason for which it is dead, and no reply", () => {
    expect(said({ deliveries: page(delivery({ ...untried, state: "dead", reason: "lane-full" })) })).toContain(
      "bad: the call to crm is dead: lane-full, no attempt recorded",
    );
  });

  it("name the state in which it is open, and no reply", () => {
    expect(said({ deliveries: page(delivery({ ...untried, state: "claimed" })) })).toContain(
      "open: the call to crm is claimed, no attempt recorded",
    );
  });
});

// The promises of the arbitraries to their users: values of the right kind, with troublesome ones among them.

import { decodeCall } from "@postrider/relay/settings";
import {
  type Call,
  CALL_KINDS,
  checkWorkspace,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  judgeReply,
  readEndpointUrl,
} from "@postrider/core";
import { checkCall, checkJson, checkSize, parseTimestamp } from "@postrider/core/engine";
import {
  badTimestampTexts,
  calls,
  checkedCalls,
  deliveryPolicies,
  destinations,
  retryDraws,
  endpointUrls,
  instants,
  integrationObjects,
  jsonObjects,
  jsonValues,
  nastyKeys,
  nastyNumbers,
  nastyStrings,
  rawCalls,
  replies,
  retryableReplies,
  retryPolicies,
  secrets,
  staticHeaders,
  timestampTexts,
  troubledReceivers,
  workspaces,
} from "@postrider/testkit/arbitraries";
import { simulate, type SimulatedReceiver } from "@postrider/simulator";
import fc, { type Arbitrary } from "fast-check";
import { describe, expect, it } from "vitest";

/** Whether such a value is among the first thousand. */
function brings<T>(arbitrary: Arbitrary<T>, isWanted: (value: T) => boolean): boolean {
  for (let seed = 1; seed <= 10; seed += 1) {
    if (fc.sample(arbitrary, { numRuns: 100, seed }).some(isWanted)) return true;
  }
  return false;
}

describe("texts and values", () => {
  it("brings half surrogate pairs, NUL and the empty text", () => {
    expect(brings(nastyStrings(), (text) => /\p{Surrogate}/u.test(text))).toBe(true);
    expect(brings(nastyStrings(), (text) => text.includes("\u0000"))).toBe(true);
    expect(brings(nastyStrings(), (text) => text === "")).toBe(true);
  });

  it("brings keys that reach for a prototype, as own keys", () => {
    expect(brings(nastyKeys(), (key) => key === "__proto__")).toBe(true);
    expect(brings(jsonObjects(), (object) => Object.hasOwn(object, "__proto__"))).toBe(true);
  });

  it("brings finite numbers alone, the negative zero among them", () => {
    expect(brings(nastyNumbers(), (number) => !Number.isFinite(number))).toBe(false);
    expect(brings(nastyNumbers(), (number) => Object.is(number, -0))).toBe(true);
  });

  it("brings JSON that survives being written and read", () => {
    fc.assert(
      fc.property(jsonValues(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it("brings instants and the texts that name them, and texts that name none", () => {
    fc.assert(
      fc.property(timestampTexts(), badTimestampTexts(), instants(), ({ text, at }, bad, instant) => {
        expect(parseTimestamp(text)).toBe(at);
        expect(parseTimestamp(bad)).toBeUndefined();
        expect(parseTimestamp(new Date(instant).toISOString())).toBe(instant);
      }),
    );
    expect(brings(timestampTexts(), ({ text }) => text.length === 10)).toBe(true);
    expect(brings(timestampTexts(), ({ text }) => /[+-]\d{4}$/.test(text))).toBe(true);
  });
});

describe("calls", () => {
  it("brings all kinds, some that may pass and some that may not", () => {
    const isRefused = (call: Call) => checkCall(call).kind === "refused";
    for (const type of CALL_KINDS) {
      expect(brings(calls(), (call) => call.type === type && isRefused(call))).toBe(true);
      expect(brings(checkedCalls(), (call) => call.type === type)).toBe(true);
      expect(brings(rawCalls(), (call) => call["type"] === type)).toBe(true);
    }
    expect(brings(checkedCalls(), isRefused)).toBe(false);
  });

  it("brings raw calls that decoder and rules let pass", () => {
    fc.assert(
      fc.property(rawCalls(), (raw) => {
        const decoded = decodeCall(JSON.parse(JSON.stringify(raw)));
        expect(decoded.kind === "ok" ? checkCall(decoded.call).kind : decoded).toBe("ok");
        expect(checkJson(raw) ?? checkSize(JSON.stringify(raw))).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("brings raw calls with the leniencies of real libraries", () => {
    expect(brings(rawCalls(), (call) => typeof call["userId"] === "number")).toBe(true);
    expect(brings(rawCalls(), (call) => call["context"] === null)).toBe(true);
    expect(brings(rawCalls(), (call) => Object.keys(call).length > 16)).toBe(true);
  });

  it("brings integrations that name the destination, or All, or nonsense", () => {
    expect(brings(integrationObjects("CRM"), (object) => object["CRM"] === false)).toBe(true);
    expect(brings(integrationObjects("CRM"), (object) => object["All"] === false)).toBe(true);
    expect(brings(integrationObjects("CRM"), (object) => object["CRM"] === null)).toBe(true);
  });
});

describe("replies", () => {
  it("brings every verdict, and Retry-After", () => {
    for (const verdict of ["success", "retry", "refused", "local"]) {
      expect(brings(replies(), (reply) => judgeReply(reply) === verdict)).toBe(true);
    }
    expect(brings(replies(), (reply) => reply.kind === "answered" && reply.retryAfter !== undefined)).toBe(true);
  });

  it("brings, for outages, only what is tried again", () => {
    expect(brings(retryableReplies(), (reply) => judgeReply(reply) !== "retry")).toBe(false);
  });
});

describe("settings", () => {
  it("brings policies that settings allow", () => {
    fc.assert(
      fc.property(retryPolicies(), deliveryPolicies(), (retry, delivery) => {
        const settings = { sources: [], destinations: [], retention: DEFAULT_RETENTION };
        expect(checkWorkspace({ ...settings, delivery: { ...DEFAULT_DELIVERY, ...retry } })).toEqual([]);
        expect(checkWorkspace({ ...settings, delivery })).toEqual([]);
      }),
    );
    expect(brings(retryPolicies(), (policy) => policy.retryWindowMs < 1_000)).toBe(true);
    expect(brings(retryPolicies(), (policy) => policy.retryWindowMs > 86_400_000)).toBe(true);
    expect(brings(retryPolicies(), (policy) => policy.firstRetryMs > policy.retryWindowMs)).toBe(true);
  });

  it("brings workspaces without a problem, with sources connected and not", () => {
    fc.assert(
      fc.property(workspaces(), (workspace) => {
        expect(checkWorkspace(workspace)).toEqual([]);
      }),
    );
    expect(brings(workspaces(), ({ destinations: some }) => some.some(({ sources }) => sources.length > 1))).toBe(true);
    expect(brings(workspaces(), ({ destinations: some }) => some.some(({ sources }) => sources.length === 0))).toBe(
      true,
    );
    expect(brings(destinations([]), ({ endpoints }) => endpoints.length === 5)).toBe(true);
  });

  it("brings endpoint URLs, headers, secrets and draws that may be used", () => {
    fc.assert(
      fc.property(endpointUrls(), staticHeaders(), secrets(), retryDraws(), (url, headers, secret, { delay, slot }) => {
        expect(readEndpointUrl(url).kind).toBe("ok");
        expect(headers.length).toBeLessThanOrEqual(5);
        expect(secret.reveal()).not.toBe("");
        expect(delay >= 0 && delay < 1 && slot >= 0 && slot < 1).toBe(true);
      }),
    );
  });
});

describe("troubled receivers", () => {
  const usually = ({ usually: one }: SimulatedReceiver) => (one?.kind === "troubled" ? one : undefined);
  const isSound = (receiver: SimulatedReceiver): boolean => {
    const { errors = 0, poisoned = 0, bears } = usually(receiver) ?? {};
    return errors === 0 && poisoned === 0 && bears === undefined;
  };

  it("brings slow ones, failing ones, some that cannot accept certain messages or many requests at once, and healthy ones", () => {
    const bring = (isWanted: (receiver: SimulatedReceiver) => boolean): boolean =>
      brings(troubledReceivers(), isWanted);
    expect(bring((one) => isSound(one))).toBe(true);
    expect(bring((one) => isSound(one) && afterMs(one) > 4_000)).toBe(true);
    expect(bring((one) => (usually(one)?.errors ?? 0) > 0.2)).toBe(true);
    expect(bring((one) => (usually(one)?.poisoned ?? 0) > 0.2)).toBe(true);
    expect(bring((one) => (usually(one)?.bears ?? Infinity) < 5)).toBe(true);
  });

  it("breaks no promise in a simulation, in which all messages become delivered or dead", async () => {
    await fc.assert(
      fc.asyncProperty(troubledReceivers(), fc.nat(), async (receiver, seed) => {
        const policy = { retryWindowMs: 60_000, firstRetryMs: 500, maxRetryMs: 5_000 };
        const { total } = await simulate({
          receivers: { a: receiver },
          policy,
          load: { calls: 20, overMs: 5_000 },
          seed,
        });
        expect(total.deliveries).toBe(20);
      }),
      { numRuns: 10 },
    );
  });

  function afterMs(receiver: SimulatedReceiver): number {
    const scripted = usually(receiver)?.usually;
    return scripted?.kind === "answers" ? (scripted.afterMs ?? 0) : 0;
  }
});

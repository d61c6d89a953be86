// The settings of a host with revision 7, as the API asks for them.

import type { SettingsDesk } from "@postrider/http/api";
import { createStoreError, epochMs } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";

const CHANGE = { revision: 7, actor: "ann", changedAt: epochMs(1_767_225_600_000) };
const PROBLEMS = [{ code: "plain-secret", path: "destinations[0].sharedSecret", expected: "a reference" }];

export const INVALID = { kind: "invalid", problems: PROBLEMS } as const;

export const failing = (): Promise<never> =>
  Promise.reject(createStoreError("unavailable", "the store does not answer"));

export function createDesk(): SettingsDesk {
  return {
    owner: "store",
    locked: () => ["notify"],
    inForce: () => 6,
    refused: () => ({ revision: 7, problems: PROBLEMS }),
    show: (revision = 7) => Promise.resolve(revision === 7 ? { ...CHANGE, document: { sources: [] } } : undefined),
    history: () => Promise.resolve([CHANGE]),
    check: (document) => Promise.resolve({ problems: isPlainObject(document) ? [] : PROBLEMS }),
    probe: ({ document }) => {
      if (!isPlainObject(document)) return Promise.resolve(INVALID);
      const found = { kind: "ok", code: "reachable", path: "destinations[0].endpoints[0].url" } as const;
      return Promise.resolve({ kind: "probed", findings: [{ ...found, message: "http://h takes connections" }] });
    },
    test: ({ document, destination }) => {
      if (!isPlainObject(document)) return Promise.resolve(INVALID);
      return Promise.resolve({ kind: "sent", report: { destination, messageId: "m1", attempts: [] } });
    },
    put: ({ expect, document }) => {
      if (!isPlainObject(document)) return Promise.resolve(INVALID);
      return Promise.resolve(expect === 7 ? { kind: "stored", revision: 8 } : { kind: "stale", revision: 7 });
    },
  };
}

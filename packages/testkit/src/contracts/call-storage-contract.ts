// The contract of the call storage port, as cases, and its harness. The cases test what the comments of `CallStorage`
// say, each on a separate storage.

import {
  type CallStorage,
  CALL_KINDS,
  type KeptCall,
  type KeptCallPageRequest,
  MAX_MESSAGE_ID_LENGTH,
} from "@postrider/core";
import { type Supported, caseFor, chooseCases, type ContractCase, type ContractOptions } from "./contract-case.js";
import { expectEqual, expectThat } from "./check.js";
import { lookAlikes } from "./look-alikes.js";

/** The abilities of a call storage: true, or the reason why it lacks one. */
export interface CallStorageSupport {
  /** Opening again without closing shows what was stored, as after a crash. */
  readonly restart: Supported;
}

/** The storage under test, as the contract suite of call storages uses it. */
export interface CallStorageHarness {
  /**
   * Opens the storage of this name, which is new and empty the first time. It has room for `maxCalls` calls; for 2,000 or
   * more if absent.
   */
  open(name: string, maxCalls?: number): Promise<CallStorage>;
  readonly supports: CallStorageSupport;
}

/** All promises of a call storage, each tested on a separate storage. */
export function callStorageContract(
  harness: CallStorageHarness,
  options: ContractOptions = {},
): readonly ContractCase[] {
  let runs = 0;
  const cases = CALL_STORAGE_CASES.map(({ name, needs, maxCalls, play }) => {
    const supported = needs === undefined ? true : harness.supports[needs];
    return caseFor(name, supported, async () => {
      runs += 1;
      const storage = `calls-${String(runs)}`;
      const open = () => harness.open(storage, maxCalls);
      await play(await open(), open);
    });
  });
  return chooseCases(cases, options);
}

interface CallStorageCase {
  readonly name: string;
  readonly needs?: keyof CallStorageSupport;
  /** The number of calls that the storage has room for; if absent, enough for any case. */
  readonly maxCalls?: number;
  /** `reopen` opens the same storage once more, without closing it. */
  readonly play: (storage: CallStorage, reopen: () => Promise<CallStorage>) => Promise<void>;
}

const CALL_STORAGE_CASES: readonly CallStorageCase[] = [
  {
    name: "keeps nothing at first",
    play: async (storage) => expectLoaded(storage, []),
  },
  {
    name: "keeps calls as they were, oldest first",
    play: async (storage) => {
      const kinds = CALL_KINDS.map((type, n): KeptCall => ({
        messageId: String(9 - n),
        type,
        json: `{"userId":"u1","n":${String(n)}}`,
      }));
      await storage.change({ keep: kinds.slice(0, 4), drop: [] });
      await storage.change({ keep: kinds.slice(4), drop: [] });
      await expectLoaded(storage, kinds);
    },
  },
  {
    name: "keeps every character of names and calls",
    play: async (storage) => {
      const texts = lookAlikes(MAX_MESSAGE_ID_LENGTH);
      const odd = texts.map((text): KeptCall => ({ messageId: text, type: "track", json: `{"a":"${text}"}` }));
      await storage.change({ keep: odd, drop: [] });
      await expectLoaded(storage, odd);
      await storage.change({ keep: [], drop: texts.slice(1) });
      await expectLoaded(storage, odd.slice(0, 1));
    },
  },
  {
    name: "keeps the largest call, and many at once",
    play: async (storage) => {
      const large: KeptCall = { messageId: "large", type: "track", json: `"${"é".repeat(16_383)}"` };
      const allCalls = [large, ...calls(1_000)];
      await storage.change({ keep: allCalls, drop: [] });
      await expectLoaded(storage, allCalls);
      await storage.change({ keep: [], drop: allCalls.map(({ messageId }) => messageId) });
      await expectLoaded(storage, []);
    },
  },
  {
    name: "answers a page from the named call on, with the call after it and the number of all",
    play: async (storage) => {
      await storage.change({ keep: calls(5), drop: [] });
      const [firstCall, secondCall, , , lastCall] = calls(5) as readonly [
        KeptCall,
        KeptCall,
        KeptCall,
        KeptCall,
        KeptCall,
      ];
      const pageOf = (request: KeptCallPageRequest): Promise<unknown> => storage.load(request);
      expectEqual(
        await pageOf({ limit: 2 }),
        { calls: calls(5).slice(0, 2), next: "message-2", stored: 5 },
        "the first page",
      );
      expectEqual(
        await pageOf({ from: secondCall.messageId, limit: 3 }),
        { calls: calls(5).slice(1, 4), next: lastCall.messageId, stored: 5 },
        "a page from the second call on",
      );
      expectEqual(
        await pageOf({ from: lastCall.messageId, limit: 1 }),
        { calls: [lastCall], next: undefined, stored: 5 },
        "the last page",
      );
      expectEqual(
        await pageOf({ from: "never kept", limit: 1 }),
        { calls: [firstCall], next: secondCall.messageId, stored: 5 },
        "a page from a call that is not stored",
      );
    },
  },
  {
    name: "answers each change with the number of calls that are kept",
    play: async (storage) => {
      const counts = [
        await storage.change({ keep: [call1, call2], drop: [] }),
        await storage.change({ keep: [call2, call3], drop: [call1.messageId, "never kept"] }),
        await storage.change({ keep: [], drop: [] }),
        await storage.change({ keep: [], drop: [call2.messageId, call3.messageId] }),
      ];
      expectEqual(counts, [2, 2, 2, 0], "the numbers after each change");
    },
  },
  {
    name: "says how many calls it has room for",
    maxCalls: 3,
    play: (storage) => {
      expectEqual(storage.maxCalls, 3, "maxCalls");
      return Promise.resolve();
    },
  },
  {
    name: "replaces a call of the same name",
    play: async (storage) => {
      await storage.change({ keep: [call1, call2], drop: [] });
      const replacement: KeptCall = { messageId: call1.messageId, type: "page", json: '{"again":true}' };
      await storage.change({ keep: [replacement], drop: [] });
      await expectLoaded(storage, [replacement, call2]);
    },
  },
  {
    name: "drops the named calls and no others, whether they are stored or not",
    play: async (storage) => {
      await storage.change({ keep: [call1, call2], drop: [] });
      await storage.change({ keep: [call3], drop: [call1.messageId, "never kept"] });
      await storage.change({ keep: [], drop: [call1.messageId] });
      await expectLoaded(storage, [call2, call3]);
      await storage.change({ keep: [], drop: [] });
      await expectLoaded(storage, [call2, call3]);
    },
  },
  {
    name: "rejects a change for which there is no room, as full and as a whole",
    maxCalls: 3,
    play: async (storage) => {
      await storage.change({ keep: [call1, call2], drop: [] });
      const replacement: KeptCall = { ...call1, json: "{}" };
      await expectFull(storage, [replacement, call3, call4], []);
      await expectFull(storage, [call3, call4, { ...call4, messageId: "five" }], [call2.messageId]);
      await expectLoaded(storage, [call1, call2]);
      await storage.change({ keep: [call3], drop: [] });
      await expectLoaded(storage, [call1, call2, call3]);
    },
  },
  {
    name: "has room again once calls are dropped, in the same change too",
    maxCalls: 2,
    play: async (storage) => {
      await storage.change({ keep: [call1, call2], drop: [] });
      await storage.change({ keep: [{ ...call2, json: "{}" }], drop: [] });
      await storage.change({ keep: [call3], drop: [call1.messageId] });
      await expectFull(storage, [call4], ["never kept"]);
      await storage.change({ keep: [], drop: [call2.messageId] });
      await storage.change({ keep: [call4], drop: [] });
      await expectLoaded(storage, [call3, call4]);
    },
  },
  {
    name: "after a crash, has the result of every change that was answered",
    needs: "restart",
    play: async (storage, reopen) => {
      await storage.change({ keep: [call1, call2], drop: [] });
      await storage.change({ keep: [call3], drop: [call1.messageId] });
      const reopened = await reopen();
      await expectLoaded(reopened, [call2, call3]);
      await reopened.change({ keep: [call1], drop: [call2.messageId] });
      await expectLoaded(await reopen(), [call3, call1]);
    },
  },
];

/** The number of calls that `expectLoaded` reads at once. */
const PAGE_CALLS = 300;

const [call1, call2, call3, call4] = [call(1), call(2), call(3), call(4)];

function calls(count: number): readonly KeptCall[] {
  return Array.from({ length: count }, (_, n) => call(n));
}

function call(n: number): KeptCall {
  return {
    messageId: `message-${String(n)}`,
    type: "track",
    json: `{"userId":"u1","event":"e","properties":{"n":${String(n)}}}`,
  };
}

async function expectLoaded(storage: CallStorage, expected: readonly KeptCall[]): Promise<void> {
  const loaded: KeptCall[] = [];
  let from: string | undefined;
  do {
    const page = await storage.load({ from, limit: PAGE_CALLS });
    expectEqual(page.stored, expected.length, "the number of calls that are kept");
    expectThat(page.calls.length <= PAGE_CALLS, "a page has more calls than were asked for");
    expectThat(page.next === undefined || page.calls.length > 0, "a page that is not the last one is empty");
    loaded.push(...page.calls);
    from = page.next;
  } while (from !== undefined);
  expectEqual(loaded, expected, "what is kept");
}

async function expectFull(storage: CallStorage, keep: readonly KeptCall[], drop: readonly string[]): Promise<void> {
  const outcome = await storage.change({ keep, drop }).then(
    () => "resolved",
    (error: unknown) => error,
  );
  const isFull = outcome instanceof Error && "code" in outcome && outcome.code === "full";
  expectThat(isFull, "a change for which there is no room does not reject with `full`");
}

// Callers that record their calls and the answers. A call without an answer may be stored or not; it is made again with the
// same id, as a client library does, so that in the end every call has been answered.

import { WRITE_KEY } from "../canary.js";
import { track } from "../end-to-end/scene.js";

/** Every tenth call is larger than a page of the file. */
const LARGE_BYTES = 6_000;
const LARGE_EVERY = 10;

export interface Callers {
  /** The id of every call that was ever made. */
  readonly made: ReadonlySet<string>;
  /** Those that were answered 200: none of these may be lost. */
  readonly safe: ReadonlySet<string>;
  /**
   * That many callers make calls in parallel until the server has ended, or `count` calls have been made; resolves then. `gone` ends what
   * has no answer yet: another program may listen by then where the server did.
   */
  callUntilGone(url: string, atOnce: number, count?: number, gone?: AbortSignal): Promise<void>;
  /** Makes `count` new calls in one request. */
  callInBatch(url: string, count: number, gone?: AbortSignal): Promise<void>;
  /** Makes all calls without an answer again. */
  callAgain(url: string): Promise<void>;
}

/** `name` distinguishes the calls of these callers from all others. */
export function createCallers(name: string): Callers {
  const made = new Set<string>();
  const safe = new Set<string>();
  const unanswered: string[] = [];

  function newCall(): string {
    const messageId = `${name}-${made.size}`;
    made.add(messageId);
    return messageId;
  }

  function nextCall(count: number): string | undefined {
    const again = unanswered.shift();
    return again !== undefined || made.size >= count ? again : newCall();
  }

  function note(status: number | undefined, messageId: string): void {
    if (status === 200) safe.add(messageId);
    else unanswered.push(messageId);
  }

  /** Whether there was an answer. */
  async function makeCall(url: string, messageId: string, gone?: AbortSignal): Promise<boolean> {
    const status = await track(url, callOf(messageId), gone).catch(() => undefined);
    note(status, messageId);
    return status !== undefined;
  }

  async function callOn(url: string, count: number, gone?: AbortSignal): Promise<void> {
    for (let id = nextCall(count); id !== undefined; id = nextCall(count)) {
      if (!(await makeCall(url, id, gone))) return;
    }
  }

  const together = async (url: string, atOnce: number, count: number, gone?: AbortSignal): Promise<void> => {
    await Promise.all(Array.from({ length: atOnce }, () => callOn(url, count, gone)));
  };
  return {
    made,
    safe,
    callUntilGone: (url, atOnce, count = Infinity, gone) => together(url, atOnce, count, gone),
    callInBatch: async (url, count, gone) => {
      const messageIds = Array.from({ length: count }, newCall);
      const status = await trackAll(url, messageIds.map(callOf), gone).catch(() => undefined);
      for (const messageId of messageIds) note(status, messageId);
    },
    callAgain: (url) => together(url, 4, 0),
  };
}

function callOf(messageId: string): object {
  const isLarge = Number(messageId.split("-").at(-1)) % LARGE_EVERY === 0;
  return { messageId, properties: { filler: "x".repeat(isLarge ? LARGE_BYTES : 10) } };
}

/** The same as `track`, for many calls at once. */
async function trackAll(url: string, calls: readonly object[], signal?: AbortSignal): Promise<number> {
  const batch = calls.map((call) => ({ type: "track", userId: "u1", event: "Signed Up", ...call }));
  const response = await fetch(`${url}/v1/batch`, {
    method: "POST",
    body: JSON.stringify({ writeKey: WRITE_KEY, batch }),
    ...(signal && { signal }),
  });
  await response.arrayBuffer();
  return response.status;
}

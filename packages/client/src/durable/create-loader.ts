// Repeats the calls that an earlier process left in the storage, oldest first, as soon as the client has room for them. A
// call that the client refuses stays in the storage.

import type { CallStorage, KeptCall } from "@postrider/core";
import type { Client } from "../client.js";
import type { ClientLogger } from "../logger.js";

export interface Loader {
  /** Resolves once each stored call was either made or left in the storage. Never rejects. */
  readonly loaded: Promise<void>;
  /** Resolves once no further call can be made without a wait for room. Never rejects. */
  readonly loadedOrWaiting: Promise<void>;
  isLoaded(): boolean;
  /** To be called when a call has ended, since there may be room then. */
  retry(): void;
  /** Ends the wait for room: the calls without room stay in the storage. */
  stop(): void;
}

export interface LoaderOptions {
  readonly storage: CallStorage;
  readonly client: Pick<Client, KeptCall["type"]>;
  readonly logger: ClientLogger;
}

export function createLoader({ storage, client, logger }: LoaderOptions): Loader {
  let isLoaded = false;
  let isStopped = false;
  let retry = (): void => undefined;
  let begin = (): void => undefined;
  const loadedOrWaiting = new Promise<void>((resolve) => {
    begin = resolve;
  });

  async function load(): Promise<void> {
    const left = await loadFrom(storage, logger);
    let made = 0;
    for (const call of left) {
      if (!(await makeWhenRoom(call))) break;
      made += 1;
    }
    if (made < left.length) logger.log("warning", { code: "calls-left", calls: left.length - made });
    isLoaded = true;
    begin();
  }

  /** Makes a call again once there is room; returns false if there is no room and the loader was stopped. */
  async function makeWhenRoom(call: KeptCall): Promise<boolean> {
    let refusedAs = makeAgain(client, call);
    // If there is no room, the queue is not empty, so a later `retry` will come.
    while (refusedAs === "queue-full") {
      if (isStopped) return false;
      begin();
      await room();
      refusedAs = makeAgain(client, call);
    }
    if (refusedAs !== undefined) logger.log("warning", { code: "calls-left", calls: 1, detail: refusedAs });
    return true;
  }

  function room(): Promise<void> {
    return new Promise((resolve) => {
      retry = resolve;
    });
  }

  return {
    loaded: load(),
    loadedOrWaiting,
    isLoaded: () => isLoaded,
    retry: () => retry(),
    stop: () => {
      isStopped = true;
      retry();
    },
  };
}

async function loadFrom(storage: CallStorage, logger: ClientLogger): Promise<readonly KeptCall[]> {
  try {
    return await storage.load();
  } catch {
    logger.log("error", { code: "storage-failed" });
    return [];
  }
}

/**
 * The code with which the call was refused; undefined if it was made. Does not throw, even if the stored text is damaged.
 */
function makeAgain(client: LoaderOptions["client"], { type, json }: KeptCall): string | undefined {
  try {
    // The client checks the stored call like any other call.
    const made = client[type](JSON.parse(json) as never);
    return made.kind === "refused" ? made.code : undefined;
  } catch {
    return "unreadable";
  }
}

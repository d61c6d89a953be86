// Makes the calls anew that an earlier process has left, oldest first, as the client has room for them. What cannot be made
// stays where it is.

import type { CallStorage, KeptCall } from "@postrider/core";
import type { Client } from "../client.js";
import type { Logger } from "../logger.js";

export interface Loader {
  /** Resolves once all that was left is made, or stays where it is. Never rejects. */
  readonly loaded: Promise<void>;
  /** Resolves once it is loaded, or waits for room. Never rejects. */
  readonly begun: Promise<void>;
  isLoaded(): boolean;
  /** To be told that a call has come to its end: there may be room. */
  goOn(): void;
  /** Waits for room no longer: what has none then stays where it is. */
  stop(): void;
}

export interface LoaderOptions {
  readonly storage: CallStorage;
  readonly client: Pick<Client, KeptCall["type"]>;
  readonly logger: Logger;
}

export function createLoader({ storage, client, logger }: LoaderOptions): Loader {
  let isLoaded = false;
  let isStopped = false;
  let goOn = (): void => undefined;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
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

  /** Answers false where there is no room and nobody waits for it. */
  async function makeWhenRoom(call: KeptCall): Promise<boolean> {
    let refusedAs = makeAnew(client, call);
    // A call always fits into a queue that is empty: whoever has no room has calls to wait for.
    while (refusedAs === "queue-full") {
      if (isStopped) return false;
      begin();
      await room();
      refusedAs = makeAnew(client, call);
    }
    if (refusedAs !== undefined) logger.log("warning", { code: "calls-left", calls: 1, detail: refusedAs });
    return true;
  }

  function room(): Promise<void> {
    return new Promise((resolve) => {
      goOn = resolve;
    });
  }

  return {
    loaded: load(),
    begun,
    isLoaded: () => isLoaded,
    goOn: () => goOn(),
    stop: () => {
      isStopped = true;
      goOn();
    },
  };
}

async function loadFrom(storage: CallStorage, logger: Logger): Promise<readonly KeptCall[]> {
  try {
    return await storage.load();
  } catch {
    logger.log("error", { code: "storage-failed" });
    return [];
  }
}

/** Why the call was refused; undefined if it was not. Whatever has become of it on the disk, this does not throw. */
function makeAnew(client: LoaderOptions["client"], { type, json }: KeptCall): string | undefined {
  try {
    // The client looks at it as at any other call.
    return client[type](JSON.parse(json) as never).match(
      () => undefined,
      ({ code }) => code,
    );
  } catch {
    return "unreadable";
  }
}

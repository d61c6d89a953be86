// An HTTP port at the two ends of a channel within one thread: requests and replies are packed and copied as between threads.

import { createManualClock } from "@postrider/memory";
import {
  type ConnectedHttp,
  connectHttp,
  type ConnectHttpOptions,
  type ServedHttp,
  serveHttp,
} from "@postrider/thread";
import { MessageChannel, type MessagePort } from "node:worker_threads";

export interface HttpChannel {
  readonly http: ConnectedHttp;
  /** The end that sends. */
  readonly sender: MessagePort;
  /** What this end was told. */
  readonly ended: string[];
}

export function connectedHttp(served: ServedHttp, options: Partial<ConnectHttpOptions> = {}): HttpChannel {
  const { port1, port2 } = new MessageChannel();
  serveHttp(() => served, port1);
  const ended: string[] = [];
  const http = connectHttp(port2, {
    clock: createManualClock(),
    terminate: () => port1.close(),
    onEnd: (why) => ended.push(why),
    ...options,
  });
  return { http, sender: port1, ended };
}

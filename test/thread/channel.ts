// Stores at the two ends of a channel within one thread: everything is packed and copied as between threads.

import type { AudienceStore } from "@postrider/core";
import {
  connectStores,
  type ConnectedStores,
  type ConnectOptions,
  serveStores,
  type ServedStores,
} from "@postrider/thread";
import { MessageChannel } from "node:worker_threads";

export function connected(stores: ServedStores, options?: ConnectOptions): Promise<ConnectedStores> {
  return connectedBy(() => stores, options);
}

export function connectedBy(
  open: () => ServedStores | Promise<ServedStores>,
  options?: ConnectOptions,
): Promise<ConnectedStores> {
  const { port1, port2 } = new MessageChannel();
  void serveStores(open, port1);
  return connectStores(port2, options);
}

/** The audiences of stores that have them. */
export function audiencesOf({ audiences }: ConnectedStores): AudienceStore {
  if (audiences === undefined) throw new Error("no audiences are served");
  return audiences;
}

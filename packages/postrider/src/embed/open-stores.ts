// Opens the store that the settings name or the host hands over, or takes opened stores of the host, which stay open.

import type { ServerSettings } from "@postrider/codec";
import { createOptionsError } from "@postrider/core/engine";
import type { Clock } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import type { OpenedStores } from "../assembly/delivery-parts.js";
import { openStore, type OpenStoreResult } from "../assembly/open-store.js";
import type { PostriderOptions, StoresToOpen } from "./postrider.js";
import { reasonOf } from "../log/reason-of.js";

/** Throws an `OptionsError` with the reason if the store of the settings cannot be opened. */
export async function storesOf(
  { store, audiences }: Pick<PostriderOptions, "store" | "audiences">,
  named: ServerSettings["store"],
  ports: { readonly logger: Logger; readonly clock: Clock },
): Promise<OpenedStores> {
  if (typeof store === "object" && "commit" in store) return { store, audiences, close: nothing, abandon: nothing };
  const opened = typeof store === "object" ? await openGiven(store, ports.clock) : await openStore(named, ports);
  if (opened.kind === "ok") return opened.stores;
  throw createOptionsError("createPostrider", [{ path: "store", expected: `a store that opens (${opened.reason})` }]);
}

async function openGiven(stores: StoresToOpen, clock: Clock): Promise<OpenStoreResult> {
  try {
    return { kind: "ok", stores: { ...(await stores.open({ clock })), abandon: nothing } };
  } catch (error) {
    return { kind: "refused", reason: reasonOf(error) };
  }
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

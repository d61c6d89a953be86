// Opens the store that the settings name, or takes the stores of the host, which stay open.

import type { ServerSettings } from "@postrider/codec";
import { createOptionsError } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";
import type { OpenedStores } from "../assembly/delivery-parts.js";
import { openStore } from "../assembly/open-store.js";
import type { PostriderOptions } from "./postrider.js";

/** Throws an `OptionsError` with the reason if the store of the settings cannot be opened. */
export async function storesOf(
  { store, audiences }: Pick<PostriderOptions, "store" | "audiences">,
  named: ServerSettings["store"],
  logger: Logger,
): Promise<OpenedStores> {
  if (typeof store === "object") return { store, audiences, close: nothing, abandon: nothing };
  const opened = await openStore(named, logger);
  if (opened.kind === "ok") return opened.stores;
  throw createOptionsError("createPostrider", [{ path: "store", expected: `a store that opens (${opened.reason})` }]);
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

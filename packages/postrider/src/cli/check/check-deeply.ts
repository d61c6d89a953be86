// The checks of `check --deep`, outside of the config: the store, the receivers, the clock. Sends no HTTP request and writes no
// file.

import type { Config } from "@postrider/codec";
import type { Host } from "../host.js";
import { checkClock } from "./check-clock.js";
import { checkEndpoints } from "./check-endpoints.js";
import type { CheckFinding } from "./check-finding.js";
import { checkStore } from "./check-store.js";

/** All findings, the good ones too. Takes at most the sum of the limits in limits.ts. */
export async function checkDeeply(config: Config, host: Host): Promise<readonly CheckFinding[]> {
  const ofStore = await checkStore(config.server.store, host);
  const ofClock = await checkClock(config.server.store, host);
  return [...ofStore, ...ofClock, ...(await checkEndpoints(config, host))];
}

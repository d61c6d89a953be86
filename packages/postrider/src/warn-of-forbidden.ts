// Warns of endpoints whose URL names an address that delivery will refuse. The settings are taken all the same, since
// the operator may mean to allow it later (decision: private addresses).

import type { Config } from "@postrider/codec";
import type { Logger } from "@postrider/relay";
import { forbiddenEndpoints } from "./forbidden-endpoints.js";

/** One warning for each such endpoint. */
export function warnOfForbidden(config: Config, logger: Logger): void {
  const detail = "deliveries to it will be refused; network.allow can allow its range";
  for (const { destination, endpoint } of forbiddenEndpoints(config)) {
    logger.log("warning", { code: "forbidden-address", destination, endpoint, detail });
  }
}

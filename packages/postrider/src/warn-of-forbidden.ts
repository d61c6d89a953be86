// Warns of endpoints whose URL names an address that delivery will refuse. The settings are taken all the same, since
// the operator may mean to allow it later (decision: private addresses).

import type { Config } from "@postrider/codec";
import { maskEndpoint, readEndpointUrl, type Workspace } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { forbiddenLiteral } from "@postrider/undici";

/** One warning for each such endpoint. */
export function warnOfForbidden({ workspace, server }: Config, logger: Logger): void {
  for (const { destination, url } of endpointsOf(workspace)) {
    const read = readEndpointUrl(url);
    if (read.kind === "bad" || !forbiddenLiteral(url, server.network)) continue;
    const detail = "deliveries to it will be refused; network.allow can allow its range";
    logger.log("warning", { code: "forbidden-address", destination, endpoint: maskEndpoint(read.id), detail });
  }
}

function endpointsOf({ destinations }: Workspace): readonly { readonly destination: string; readonly url: string }[] {
  return destinations.flatMap(({ id, endpoints }) => endpoints.map(({ url }) => ({ destination: id, url })));
}

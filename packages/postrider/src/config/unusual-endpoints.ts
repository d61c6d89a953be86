// Finds endpoints that can be called and hardly will be: at port 0, which no server has, and with header names that proxies drop.

import { defined, maskEndpoint, pathTo } from "@postrider/core/engine";
import { readEndpointUrl } from "@postrider/core";
import type { Called, PlacedEndpoint } from "./called.js";
import type { ConfigWarning } from "./config-warning.js";

/** The warnings of all endpoints of a destination or a hook. */
export function unusualEndpoints({ destination, endpoints }: Called): readonly ConfigWarning[] {
  return endpoints
    .flatMap((endpoint) => [...portZero(endpoint), ...underscores(endpoint)])
    .map((warning) => ({ ...warning, ...defined({ destination }) }));
}

function portZero({ url, path }: PlacedEndpoint): readonly ConfigWarning[] {
  const read = readEndpointUrl(url);
  if (read.kind === "refused" || new URL(read.id).port !== "0") return [];
  const endpoint = maskEndpoint(read.id);
  const effect = "no server has port 0, so no connection can be made";
  return [
    { code: "unusual-endpoint", path: `${path}.url`, effect, change: "write the port of the receiver", endpoint },
  ];
}

function underscores({ headers, path }: PlacedEndpoint): readonly ConfigWarning[] {
  return headers.flatMap(([name]) =>
    name.includes("_")
      ? [{ code: "unusual-header" as const, path: pathTo(`${path}.headers`, name), effect: DROPPED, change: HYPHEN }]
      : [],
  );
}

const DROPPED = "its name has _, and many proxies, such as nginx, drop such headers without a word";
const HYPHEN = "write - in place of _, if the receiver takes that";

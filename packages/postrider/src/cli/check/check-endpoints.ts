// Probes each origin of the config once, with progress. Sends no HTTP request.

import { counted } from "../format-count.js";
import type { Config } from "@postrider/codec";
import { calledDestination, calledHook } from "../../config/called.js";
import { type PlacedOrigin, probeOrigins } from "../../config/probe-origins.js";
import { createProgressDisplay } from "../progress-display.js";
import type { Host } from "../host.js";
import type { CheckFinding } from "./check-finding.js";
import { MAX_PROBED_ORIGINS } from "./limits.js";

/** A finding for each origin. */
export async function checkEndpoints(config: Config, host: Host): Promise<readonly CheckFinding[]> {
  const all = originsOf(config);
  const origins = all.slice(0, MAX_PROBED_ORIGINS);
  const { clock } = host;
  const { network } = config.server;
  const display = createProgressDisplay(host);
  const onProbed = (done: number): void => display.show({ doing: "probing receivers", done, total: origins.length });
  const findings = await probeOrigins(origins, { clock, network, showsAddresses: true, onProbed });
  display.clear();
  return all.length === origins.length ? findings : [...findings, notChecked(all.length - origins.length)];
}

/** Each origin with the path of the first endpoint that has it. */
function originsOf({ workspace }: Config): readonly PlacedOrigin[] {
  const called = [...workspace.destinations.map(calledDestination), ...(workspace.notify ?? []).map(calledHook)];
  const origins = called.flatMap(({ endpoints }) =>
    endpoints.map(({ url, path }) => ({ url: new URL(url).origin, path: `${path}.url` })),
  );
  const first = new Map(origins.toReversed().map((origin) => [origin.url, origin]));
  return origins.filter((origin) => first.get(origin.url) === origin);
}

function notChecked(count: number): CheckFinding {
  return {
    kind: "note",
    code: "not-checked",
    path: "destinations",
    message: `${counted(count, "more origin was", "more origins were")} not checked`,
  };
}

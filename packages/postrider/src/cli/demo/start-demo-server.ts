// Starts the server of the demo on the given port, or on a free port if the given port is taken.

import { decodeConfig } from "@postrider/codec";
import type { Host } from "../host.js";
import { createHostLog } from "../host-log.js";
import { type StartResult, startServer } from "../../server/start-server.js";
import { demoConfig, type DemoAddresses, type DemoSecrets } from "./demo-config.js";

/** Starts the server. If it uses a free port, says so on standard output. */
export async function startDemoServer(
  host: Host,
  addresses: DemoAddresses,
  secrets: DemoSecrets,
): Promise<StartResult> {
  const started = await start(host, addresses, secrets);
  if (started.kind === "ok" || started.code !== "port-taken") return started;
  host.out(`port ${String(addresses.port)} is taken by another program, so the demo uses a free one`);
  return start(host, { ...addresses, port: 0 }, secrets);
}

async function start(host: Host, addresses: DemoAddresses, secrets: DemoSecrets): Promise<StartResult> {
  const decoded = decodeConfig(demoConfig(addresses, secrets));
  if (decoded.kind === "refused")
    return { kind: "refused", code: "config-refused", reason: "the demo's config is wrong" };
  const logger = createHostLog(host);
  return startServer({ config: decoded.value, logger, clock: host.clock, random: host.random });
}

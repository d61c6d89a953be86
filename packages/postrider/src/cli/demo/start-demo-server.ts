// Starts the demo's server, on the port that was asked for if it is free, else on any.

import { decodeConfig } from "@postrider/codec";
import type { Host } from "../host.js";
import { createLogLines } from "../../log/log-lines.js";
import { type Started, startServer } from "../../server/start-server.js";
import { demoConfig, type DemoPlaces, type DemoSecrets } from "./demo-config.js";

/** Says so when it had to take another port. */
export async function startDemoServer(host: Host, places: DemoPlaces, secrets: DemoSecrets): Promise<Started> {
  const started = await start(host, places, secrets);
  if (started.kind === "started" || started.code !== "port-taken") return started;
  host.out(`port ${String(places.port)} is taken by another program, so the demo takes a free one`);
  return start(host, { ...places, port: 0 }, secrets);
}

async function start(host: Host, places: DemoPlaces, secrets: DemoSecrets): Promise<Started> {
  const decoded = decodeConfig(demoConfig(places, secrets));
  if (decoded.kind === "refused")
    return { kind: "failed", code: "config-refused", reason: "the demo's config is wrong" };
  const logger = createLogLines(host.clock, (line) => host.err(line));
  return startServer({ config: decoded.value, logger, clock: host.clock, random: host.random });
}

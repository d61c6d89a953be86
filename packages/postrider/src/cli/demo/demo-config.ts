// The config that the demo runs with, written as its reader would write one.

import type { Random } from "@postrider/core";
import { Buffer } from "node:buffer";

export const DEMO_WRITE_KEY = "wk_demo";

export interface DemoSecrets {
  readonly apiToken: string;
  readonly sharedSecret: string;
}

/** Fresh ones for each run: the demo listens, even if on this machine only. */
export function drawSecrets(random: Random): DemoSecrets {
  const draw = (): string => Buffer.from(random.bytes(16)).toString("hex");
  return { apiToken: draw(), sharedSecret: draw() };
}

export interface DemoPlaces {
  readonly port: number;
  /** Where the database lies. */
  readonly database: string;
  readonly receiverUrl: string;
}

/** The JSON of the config file. */
export function demoConfig({ port, database, receiverUrl }: DemoPlaces, secrets: DemoSecrets): object {
  return {
    listen: { host: "127.0.0.1", port },
    store: `sqlite:${database}`,
    apiToken: secrets.apiToken,
    sources: [{ id: "website", writeKey: DEMO_WRITE_KEY }],
    destinations: [
      {
        id: "receiver",
        sources: ["website"],
        endpoints: [{ url: `${receiverUrl}/hook` }],
        sharedSecret: secrets.sharedSecret,
      },
    ],
    network: { allow: ["127.0.0.0/8"] },
  };
}

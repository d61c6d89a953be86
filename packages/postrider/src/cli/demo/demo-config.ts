// The config of the demo, written as a user would write one.

import type { Random } from "@postrider/core";
import { Buffer } from "node:buffer";

export const DEMO_WRITE_KEY = "wk_demo";

export interface DemoSecrets {
  readonly apiToken: string;
  readonly sharedSecret: string;
}

/** Draws new secrets for each run, since other programs on this machine can reach the demo. */
export function drawSecrets(random: Random): DemoSecrets {
  const draw = (): string => Buffer.from(random.bytes(16)).toString("hex");
  return { apiToken: draw(), sharedSecret: draw() };
}

export interface DemoAddresses {
  readonly port: number;
  /** The path of the database. */
  readonly database: string;
  readonly receiverUrl: string;
}

/** The JSON of the config file. */
export function demoConfig({ port, database, receiverUrl }: DemoAddresses, secrets: DemoSecrets): object {
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

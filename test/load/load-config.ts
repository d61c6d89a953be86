// The settings of the load: a source and a destination for each lane, so that each lane's calls can be told apart.

import { join } from "node:path";
import { SHOP_KEY, TOKEN, WRITE_KEY } from "../canary.js";
import { tempFolder, writeConfig } from "../postrider/config-file.js";

export interface HardLane {
  readonly id: string;
  readonly path: string;
  readonly writeKey: string;
}

/** Four slow receivers that succeed, and one of each other kind. */
export const HARD_LANES: readonly HardLane[] = [
  ...["slow1", "slow2", "slow3", "slow4"].map((id) => laneOf(id)),
  ...["erring", "hanging", "poisoned"].map((id) => laneOf(id)),
];

/** Writes a config with a SQLite file and the default policy; returns its path. */
export function writeLoadConfig(receiverUrl: string): string {
  const folder = tempFolder();
  const lanes = [{ id: "good", path: "/good", writeKey: WRITE_KEY }, ...HARD_LANES];
  return writeConfig(
    {
      listen: { host: "127.0.0.1", port: 0 },
      store: `sqlite:${join(folder, "postrider.db")}`,
      apiToken: TOKEN,
      sources: lanes.map(({ id, writeKey }) => ({ id, writeKey })),
      destinations: lanes.map(({ id, path }) => ({ id, sources: [id], endpoints: [{ url: `${receiverUrl}${path}` }] })),
      network: { allow: ["127.0.0.0/8"] },
    },
    folder,
  );
}

function laneOf(id: string): HardLane {
  return { id, path: `/${id}`, writeKey: `${SHOP_KEY}-${id}` };
}

// The connections and memory that callers use now.

import type { CallerUsage } from "@postrider/api";
import { gauge, type ReadFamilies } from "./program-families.js";

export function createCallerFamilies(held: () => CallerUsage): ReadFamilies {
  return () => {
    const { connections, bytes } = held();
    return [
      gauge({ name: "postrider.connections", help: "Connections of callers." }, connections),
      gauge({ name: "postrider.ingest.held", help: "Bytes of request bodies in memory.", unit: "By" }, bytes),
    ];
  };
}

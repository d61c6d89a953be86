// The metrics of the process itself, by the names that Prometheus' own libraries give them.

import type { Clock } from "@postrider/core";
import type { NumberFamily } from "@postrider/telemetry";
import { gauge, type ReadFamilies } from "./program-families.js";

const MS_PER_SECOND = 1_000;
const US_PER_SECOND = 1_000_000;

/** Which version of the program runs. */
export function createBuildFamilies(version: string): ReadFamilies {
  return () => [
    gauge({ name: "postrider.build_info", help: "1; its label is the version." }, 1, [["version", version]]),
  ];
}

/** To be created when the process starts: this is its time of start. */
export function createProcessFamilies(clock: Pick<Clock, "wall">): ReadFamilies {
  const startedAt = clock.wall() / MS_PER_SECOND;
  return () => [
    cpuSeconds(),
    gauge(
      { name: "process.resident_memory", help: "Memory that the process has in use.", unit: "By" },
      process.memoryUsage.rss(),
    ),
    gauge({ name: "process.start_time", help: "When the server was started, since 1970.", unit: "s" }, startedAt),
  ];
}

/** User and system time of all threads. */
function cpuSeconds(): NumberFamily {
  const { user, system } = process.cpuUsage();
  const points = [{ labels: [], value: (user + system) / US_PER_SECOND }];
  return { name: "process.cpu", help: "CPU that the process has used.", unit: "s", kind: "counter", points };
}

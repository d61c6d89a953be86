// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/simulator/simulated-host` exports.

import type { EpochMs, Workspace } from "@postrider/core";
import type { HttpScript, ManualClock, MemoryDisk, RepliesByUrl, SentRequest } from "@postrider/memory";
import type { Relay, RelayEvent } from "@postrider/relay";

export interface SimulatedHost {
  readonly clock: ManualClock;
  readonly disk: MemoryDisk;
  relay(): Relay;
  advance(ms: number): Promise<void>;
  crash(): void;
  stop(): Promise<void>;
  restart(workspace?: Workspace): void;
  received(): readonly SentRequest[];
  events(): readonly RelayEvent[];
}

export interface SimulatedHostOptions {
  readonly workspace: Workspace;
  readonly receivers: HttpScript | RepliesByUrl;
  readonly seed?: number;
  readonly wall?: EpochMs;
}

export declare function createSimulatedHost(options: SimulatedHostOptions): SimulatedHost;

export {};

// The types of meter.js, for the tests.

import type { ChildProcess } from "node:child_process";

/** By the role of threads. */
export interface Parts {
  readonly main: number;
  readonly worker: number;
  readonly v8: number;
  readonly others: number;
}

export interface Cost {
  readonly cpuUs: {
    readonly process: number;
    readonly servers: number;
    readonly threads?: Parts;
    readonly busiest?: number;
  };
  readonly kinst?: { readonly process: number; readonly threads: Parts };
  readonly loopDelayMs: { readonly p99: number; readonly max: number };
}

export function startMeter(
  running: { readonly child: ChildProcess; readonly serverPids?: readonly number[] },
  tellsThreads?: boolean,
): Promise<{ readonly read: (calls: number) => Promise<Cost> }>;
export function followChild(
  child: ChildProcess,
  tellsThreads?: boolean,
): Promise<{ readonly usedMs: () => Promise<number> }>;

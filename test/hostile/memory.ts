// How much memory is in use after garbage collection, and which handles of the platform are open.

import { getActiveResourcesInfo, memoryUsage } from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const STEADY_BYTES = 200_000;
const MAX_LOOKS = 120;

/** As `bytesInUse`, once the value is steady: earlier work may still run in another thread. */
export async function steadyBytesInUse(): Promise<number> {
  let last = await bytesInUse();
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const next = await bytesInUse();
    if (Math.abs(next - last) < STEADY_BYTES) return next;
    last = next;
  }
  return last;
}

/** Bytes on and off the heap, without garbage. */
export async function bytesInUse(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, external } = memoryUsage();
  return heapUsed + external;
}

/** Sockets and timers of this process that keep it up. */
export function openHandles(): { readonly sockets: number; readonly timers: number } {
  const names = getActiveResourcesInfo();
  return {
    sockets: names.filter((name) => name === "TCPSocketWrap" || name === "TLSWrap").length,
    timers: names.filter((name) => name === "Timeout").length,
  };
}

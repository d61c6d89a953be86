// Bytes of any class that a library hands over, wherever they lie: they come back as they were.

import type { Body } from "@postrider/core";
import { expectEqual } from "../check.js";
import { attempt, endpointState, everyByteValue, rescheduledOutcome } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

/** Bytes as libraries hand them over. All have the same content. */
const BYTES: readonly (readonly [what: string, make: () => Uint8Array])[] = [
  ["of a class with `toJSON`, as a Buffer is", () => withToJson(everyByteValue())],
  ["that are a view into a larger buffer", () => inLarger(new ArrayBuffer(2_048))],
  ["in shared memory", () => inLarger(new SharedArrayBuffer(2_048))],
];

export const BYTE_CLASS_CASES: readonly StoreCase[] = [
  ...BYTES.map(([what, make]) => ({
    name: `bytes ${what} come back as they were`,
    async play(scene: Scene): Promise<void> {
      const id = await scene.acceptOne({ body: make() as Body });
      expectEqual((await scene.record(id)).body, everyByteValue(), "the body as found");
      expectEqual((await scene.claimOne()).body, everyByteValue(), "the body as claimed");
      const endpoints = [endpointState("a", false, make())];
      const outcome = rescheduledOutcome(scene.now());
      await scene.settle({ id, outcome, attempts: [attempt(scene.now())], endpoints });
      expectEqual((await scene.record(id)).endpoints[0]?.excerpt, everyByteValue(), "the excerpt as found");
    },
  })),
  {
    name: "bytes of any class come back as they were after a crash",
    needs: ["restart"],
    async play(scene) {
      const ids = [];
      for (const [, make] of BYTES) ids.push(await scene.acceptOne({ body: make() as Body }));
      await scene.crash();
      for (const [index, id] of ids.entries()) {
        const what = `a body ${BYTES[index]?.[0] ?? ""}`;
        expectEqual((await scene.record(id)).body, everyByteValue(), what);
      }
    },
  },
];

/** The same bytes in the middle of a buffer whose other bytes are 7. */
function inLarger(buffer: ArrayBuffer | SharedArrayBuffer): Uint8Array {
  const bytes = everyByteValue();
  new Uint8Array(buffer).fill(7);
  const view = new Uint8Array(buffer, 96, bytes.length);
  view.set(bytes);
  return view;
}

/** Bytes that write themselves as an object when they are written as JSON, as those of Node's Buffer do. */
function withToJson(bytes: Uint8Array): Uint8Array {
  return Object.assign(bytes, { toJSON: () => ({ type: "Buffer", data: [...bytes] }) });
}

// Cases of bytes of each class that a caller or a library hands over: a store returns them as they were, and keeps no
// array that a caller can change. Imports nothing from Node: its Buffer is tried where it is global.

import type { Body } from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { attempt, endpointState, everyByteValue, rescheduledOutcome, bytes } from "./samples.js";
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
        const label = `a body ${BYTES[index]?.[0] ?? ""}`;
        expectEqual((await scene.record(id)).body, everyByteValue(), label);
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

export const CARRYING_CASES: readonly StoreCase[] = [
  {
    name: "a body comes back byte for byte, from a claim and from a look-up",
    async play(scene) {
      const id = await scene.acceptOne({ body: everyByteValue() });
      expectEqual((await scene.record(id)).body, everyByteValue(), "the body as found");
      expectEqual((await scene.claimOne()).body, everyByteValue(), "the body as claimed");
    },
  },
  {
    name: "a body changed by its caller after the commit stays as it was stored",
    async play(scene) {
      const body = everyByteValue();
      const id = await scene.acceptOne({ body });
      body.fill(0);
      expectEqual((await scene.record(id)).body, everyByteValue(), "the body as found");
      expectEqual((await scene.claimOne()).body, everyByteValue(), "the body as claimed");
    },
  },
  {
    name: "a body changed after a claim or a look-up stays as it was stored",
    async play(scene) {
      const id = await scene.acceptOne({ body: everyByteValue() });
      (await scene.claimOne()).body.fill(1);
      (await scene.record(id)).body?.fill(2);
      expectEqual((await scene.record(id)).body, everyByteValue(), "the body as found");
    },
  },
  {
    name: "two deliveries of a message carry the same bytes",
    async play(scene) {
      const deliveries = [scene.lane, scene.otherLane].map(
        (destination) => ({ destination, start: { kind: "waiting", dueAt: scene.now() } }) as const,
      );
      await scene.accept({ body: everyByteValue(), deliveries });
      expectEqual((await scene.claimOne()).body, everyByteValue(), "the body of one");
      expectEqual((await scene.claimOne({ lane: scene.otherLane })).body, everyByteValue(), "the body of the other");
    },
  },
  {
    name: "an excerpt of an answer comes back byte for byte, even if a copy of it was changed",
    async play(scene) {
      const excerpt: Uint8Array = everyByteValue();
      await scene.acceptOne();
      const { id } = await scene.claimOne();
      const endpoints = [endpointState("a", false, excerpt)];
      const outcome = rescheduledOutcome(scene.now());
      await scene.settle({ id, outcome, attempts: [attempt(scene.now())], endpoints });
      excerpt.fill(0);
      (await scene.record(id)).endpoints[0]?.excerpt?.fill(1);
      expectEqual((await scene.record(id)).endpoints[0]?.excerpt, everyByteValue(), "the excerpt as found");
      expectEqual((await scene.claimOne()).endpoints[0]?.excerpt, everyByteValue(), "the excerpt as claimed");
    },
  },
];

const TEXT = "bytes of another class";

export const COPYING_BYTES_CASES: readonly StoreCase[] = [
  {
    name: "a store keeps a copy of given bytes and shows one, whatever their class",
    async play(scene) {
      for (const [className, make] of classes()) {
        const [body, excerpt] = [make(), make()];
        const newScene = scene.anew();
        const id = await newScene.acceptOne({ body: body as Body });
        body.fill(0);
        await newScene.claimOne();
        const outcome = rescheduledOutcome(newScene.later(1));
        const endpoints = [endpointState("a", false, excerpt)];
        await newScene.settle({ id, outcome, attempts: [attempt(newScene.now())], endpoints });
        excerpt.fill(0);
        (await newScene.record(id)).body?.fill(1);
        (await newScene.record(id)).endpoints[0]?.excerpt?.fill(1);
        const record = await newScene.record(id);
        const copies = [record.body, record.endpoints[0]?.excerpt].map((copy) =>
          Uint8Array.from(expectPresent(copy, className)),
        );
        expectEqual(copies, [bytes(TEXT), bytes(TEXT)], `the body and the excerpt, given as ${className}`);
      }
    },
  },
];

/** Like Node's Buffer in what copies get wrong: its `slice` is a view. */
function createViewSlicingBytes(): Uint8Array {
  const view: Uint8Array = bytes(TEXT);
  return Object.assign(view, { slice: (start?: number, end?: number) => view.subarray(start, end) });
}

function classes(): readonly (readonly [string, () => Uint8Array])[] {
  const platform = globalThis as { readonly Buffer?: { from(source: Uint8Array): Uint8Array } };
  const { Buffer } = platform;
  return [
    ["a Uint8Array", () => bytes(TEXT)],
    ["a class whose slices are views", createViewSlicingBytes],
    ...(Buffer === undefined ? [] : [["a Buffer", () => Buffer.from(bytes(TEXT))] as const]),
  ];
}

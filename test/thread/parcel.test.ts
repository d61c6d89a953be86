// Byte arrays in a parcel: short ones share a buffer, long ones have their own, which is not copied.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OWN_BUFFER_BYTES } from "../../packages/thread/src/limits.js";
import {
  buffersOf,
  createByteWriter,
  createReadCopies,
  createReadViews,
  type Parcel,
} from "../../packages/thread/src/parcel.js";

function parcelOf(...arrays: readonly Uint8Array[]): Parcel {
  const writer = createByteWriter();
  for (const bytes of arrays) writer.add(bytes);
  return writer.seal("");
}

const lengths = fc.array(
  fc.oneof(fc.nat(20), fc.integer({ min: OWN_BUFFER_BYTES - 1, max: OWN_BUFFER_BYTES + 1 }), fc.constant(32_768)),
);

describe("the byte arrays of a parcel", () => {
  it.each([
    ["copies", createReadCopies],
    ["views", createReadViews],
  ])("are read as %s in their order, whatever their lengths", (_, createRead) => {
    fc.assert(
      fc.property(lengths, (all) => {
        const arrays = all.map((length, index) => new Uint8Array(length).fill(index + 1));
        const read = createRead(parcelOf(...arrays));
        expect(all.map((length) => read(length))).toEqual(arrays);
      }),
    );
  });

  it("are not copied by the receiver from OWN_BUFFER_BYTES on", () => {
    const parcel = parcelOf(new Uint8Array(OWN_BUFFER_BYTES), new Uint8Array(OWN_BUFFER_BYTES - 1));
    const read = createReadCopies(parcel);
    expect(read(OWN_BUFFER_BYTES)).toBe(parcel.large?.[0]);
    const short = read(OWN_BUFFER_BYTES - 1);
    expect(short.buffer).not.toBe(parcel.bytes?.buffer);
    expect(short.buffer.byteLength).toBe(OWN_BUFFER_BYTES - 1);
  });

  it("are absent if there are none of their length", () => {
    expect(parcelOf()).toEqual({ text: "" });
    expect(Object.keys(parcelOf(new Uint8Array(3)))).toEqual(["text", "bytes"]);
    expect(Object.keys(parcelOf(new Uint8Array(OWN_BUFFER_BYTES)))).toEqual(["text", "large"]);
  });

  it("leave the sender's arrays to the sender, and cross with all their buffers", () => {
    const long = new Uint8Array(OWN_BUFFER_BYTES).fill(7);
    const parcel = parcelOf(long, new Uint8Array(3), long);
    const crossed = structuredClone(parcel, { transfer: buffersOf(parcel) });
    expect(parcel.bytes?.length).toBe(0);
    expect(parcel.large?.map(({ length }) => length)).toEqual([0, 0]);
    expect(long).toEqual(new Uint8Array(OWN_BUFFER_BYTES).fill(7));
    expect(createReadCopies(crossed)(OWN_BUFFER_BYTES)).toEqual(long);
  });

  it("are refused if one is missing or has another length", () => {
    const long = new Uint8Array(OWN_BUFFER_BYTES);
    const read = createReadCopies(parcelOf(long));
    expect(() => read(OWN_BUFFER_BYTES + 1)).toThrow("bytes are missing");
    expect(() => createReadCopies(parcelOf(new Uint8Array(3)))(OWN_BUFFER_BYTES)).toThrow("bytes are missing");
    expect(() => createReadCopies(parcelOf(long))(3)).toThrow("bytes are missing");
  });
});

import { createExcerptCollector, MAX_EXCERPT_BYTES, MAX_REPLY_BYTES } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const CHUNKS = fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 8 });

describe("the reader of an excerpt", () => {
  it("keeps the first bytes, for any chunks, and tells when it is full", () => {
    fc.assert(
      fc.property(CHUNKS, (chunks) => {
        const reader = createExcerptCollector();
        for (const chunk of chunks) reader.add(chunk);
        const all = Buffer.concat(chunks);
        expect(Buffer.from(reader.excerpt()).equals(all.subarray(0, MAX_EXCERPT_BYTES))).toBe(true);
        expect(reader.isFull()).toBe(all.length >= MAX_EXCERPT_BYTES);
        expect(reader.isOver()).toBe(all.length >= MAX_REPLY_BYTES);
      }),
    );
  });

  it("is full once it has as much as is kept, not before", () => {
    const reader = createExcerptCollector();
    reader.add(new Uint8Array(MAX_EXCERPT_BYTES - 1));
    expect(reader.isFull()).toBe(false);
    reader.add(Uint8Array.of(1));
    expect(reader.isFull()).toBe(true);
    reader.add(Uint8Array.of(2));
    expect(reader.isFull()).toBe(true);
    expect(reader.excerpt()).toHaveLength(MAX_EXCERPT_BYTES);
  });

  it("is over once the limit of a reply has been read", () => {
    const reader = createExcerptCollector();
    reader.add(new Uint8Array(MAX_REPLY_BYTES - 1));
    expect(reader.isOver()).toBe(false);
    reader.add(new Uint8Array(1));
    expect(reader.isOver()).toBe(true);
    expect(reader.excerpt()).toHaveLength(MAX_EXCERPT_BYTES);
  });

  it("keeps no view into the chunks, which may belong to a larger buffer", () => {
    const chunk = Buffer.from("abc");
    const reader = createExcerptCollector();
    reader.add(chunk);
    chunk.fill(0);
    expect(new TextDecoder().decode(reader.excerpt())).toBe("abc");
  });
});

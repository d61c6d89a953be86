import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStartReader } from "../../packages/undici/src/read-start.js";

/** The status, and the bytes as the parser gets them. */
function read(pieces: readonly string[]): readonly [status: number | undefined, text: string] {
  const reader = createStartReader();
  const buffers = pieces.map((piece) => Buffer.from(piece, "latin1"));
  const statuses = buffers.map((piece) => reader.read(piece)).filter((status) => status !== undefined);
  expect(statuses.length).toBeLessThanOrEqual(1);
  return [statuses[0], Buffer.concat(buffers).toString("latin1")];
}

const INTERIM = "HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\n";

describe("the start of an answer", () => {
  it.each([
    ["HTTP/1.1 200 OK\r\n", 200],
    ["HTTP/1.1 299\r\n", 299],
    ["HTTP/1.0 202 \r\n", 202],
    ["HTTP/1.9 201 caf\u00e9\tau lait\n", 201],
    ["\r\n\n\rHTTP/1.1 200 OK\n", 200],
    [`${INTERIM}HTTP/1.1 204 X\r\n`, 204],
    ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Len", 200],
    ["HTTP/1.1 102 X\nA: b\n\nHTTP/1.1 200 OK\n", 200],
    ["HTTP/1.1 200 OK\r\nHTTP/1.1 500 X\r\n", 200],
  ])("%j is a success by its status line", (text, status) => {
    expect(read([text])[0]).toBe(status);
  });

  it.each([
    "HTTP/1.1 200 OK",
    "HTTP/1.1 200 OK\r",
    "HTTP/1.1 200 OK\r \n",
    "HTTP/1.1 2000 OK\r\n",
    "HTTP/1.1 20 OK\r\n",
    "HTTP/1.1 200OK\r\n",
    "HTTP/1.1 200\tOK\r\n",
    "HTTP/1.1 200 O\u0000K\r\n",
    "HTTP/1.1  200 OK\r\n",
    "HTTP/1.10 200 OK\r\n",
    "HTTP/2.0 200 OK\r\n",
    "http/1.1 200 OK\r\n",
    " HTTP/1.1 200 OK\r\n",
    "ICY 200 OK\r\n",
    "HTTP/1.1 199 X\r\n\r\nHTTP/1.1 300 X\r\n",
    "HTTP/1.1 404 X\r\nHTTP/1.1 200 OK\r\n",
    "HTTP/1.1 101 X\r\n\r\nHTTP/1.1 200 OK\r\n",
    "HTTP/1.1 103 X\r\nHTTP/1.1 200 OK\r\n",
    "220 mail.example ESMTP\r\nHTTP/1.1 200 OK\r\n",
  ])("%j is none", (text) => {
    expect(read([text])[0]).toBeUndefined();
  });

  it("has each 100 before its final status line as a 102, and no other octet changed", () => {
    const odd = "HTTP/1.1 100 Continue\r\nX: HTTP/1.1 100\r\n\r\n";
    expect(read([`${odd}\r\n${odd}HTTP/1.1 200 OK\r\nX: 100\r\n\r\n${odd}`])).toEqual([
      200,
      `${odd.replace("100", "102")}\r\n${odd.replace("100", "102")}HTTP/1.1 200 OK\r\nX: 100\r\n\r\n${odd}`,
    ]);
    expect(read(["HTTP/1.0 100\n\nHTTP/1.1 500 X\r\n\r\nHTTP/1.1 100 X\r\n"])[1]).toBe(
      "HTTP/1.0 102\n\nHTTP/1.1 500 X\r\n\r\nHTTP/1.1 100 X\r\n",
    );
  });

  it("is the same in any pieces", () => {
    const parts = [
      "HTTP/1.1 100 X\r\n\r\n",
      INTERIM,
      "HTTP/1.1 200 OK\r\n",
      "A: b\r\n",
      "\r\n",
      "\n",
      "100",
      "HTTP/1.1 ",
    ];
    const texts = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 3 })), { maxLength: 6 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat({ max: 90 })), (drawn, cuts) => {
        const text = drawn.join("");
        const edges = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = edges.slice(1).map((edge, index) => text.slice(edges[index], edge));
        const whole = pieces.join("");
        expect(read(pieces)).toEqual(read([whole]));
      }),
    );
  });

  it("is read anew for each answer", () => {
    const reader = createStartReader();
    expect(reader.read(Buffer.from("HTTP/1.1 500 X\r\n"))).toBeUndefined();
    expect(reader.read(Buffer.from("HTTP/1.1 200 X\r\n"))).toBeUndefined();
    reader.begin();
    expect(reader.read(Buffer.from("HTTP/1.1 2"))).toBeUndefined();
    reader.begin();
    expect(reader.read(Buffer.from("HTTP/1.1 201 X\r\n"))).toBe(201);
  });
});

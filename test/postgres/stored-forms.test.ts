// The forms in which ids, names and arrays go to the database and come back: each value is itself again, and what the database cannot
// have given is refused.

import { DEAD_REASONS, DELIVERY_STATES, leaseToken, type MessageType, REGULATIONS } from "@postrider/core";
import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import * as codes from "../../packages/postgres/src/delivery-store/codes.js";
import * as rows from "../../packages/postgres/src/wire/read-row.js";
import * as texts from "../../packages/postgres/src/wire/text.js";
import * as values from "../../packages/postgres/src/wire/values.js";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

/** Any text, with lone surrogates and U+0000. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });

const TYPES: readonly MessageType[] = ["identify", "track", "page", "screen", "group", "alias", "delete"];

describe("the id of a delivery", () => {
  it("leads back to its place", () => {
    const place = fc.record({ id: fc.maxSafeNat().map((id) => Math.max(1, id)), place: fc.nat({ max: 999_999 }) });
    fc.assert(
      fc.property(place, (at) => {
        expect(codes.placeOf(codes.idAtPlace(at))).toEqual(at);
      }),
    );
  });

  it.each([
    "",
    "1",
    "1-",
    "-1",
    "0-0",
    "01-0",
    "1-00",
    "1-1 ",
    " 1-1",
    "1-x",
    "1-1x",
    "1-1234567",
    "9007199254740993-0",
  ])("that is %j leads nowhere, since no store has given it", (id) => {
    expect(codes.placeOf(id)).toBe(codes.NOWHERE);
  });
});

describe("the number of a type, a state, a reason or a regulation", () => {
  it("leads back to it, and is never that of another", () => {
    expect(TYPES.map((type) => codes.typeOfCode(codes.codeOfType(type)))).toEqual(TYPES);
    expect(DELIVERY_STATES.map((state) => codes.stateOfCode(codes.codeOfState(state)))).toEqual(DELIVERY_STATES);
    expect(DEAD_REASONS.map((reason) => codes.reasonOfCode(codes.codeOfReason(reason)))).toEqual(DEAD_REASONS);
    expect(REGULATIONS.map((one) => codes.regulationOfCode(codes.codeOfRegulation(one)))).toEqual(REGULATIONS);
  });

  it("that is unknown is corrupt, and says of what", () => {
    for (const [what, read] of [
      ["type", codes.typeOfCode],
      ["state", codes.stateOfCode],
      ["reason", codes.reasonOfCode],
      ["regulation", codes.regulationOfCode],
    ] as const)
      expect(() => read(99)).toThrow(
        expect.objectContaining({ code: "corrupt", message: `PostgreSQL: a ${what} that does not exist` }),
      );
  });
});

describe("a text", () => {
  it("comes back whatever it is, as bytes that no other text has", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(texts.decodeStoredText(texts.encodeAnyText(text))).toBe(text);
      }),
    );
    const inOrder = ["\ud7ff", "\ud800", "\udbff", "\udc00", "\udfff", "\ue000", "\ufffd"];
    expect(inOrder.map((text) => texts.decodeStoredText(texts.encodeAnyText(text)))).toEqual(inOrder);
    expect(new Set(inOrder.map((text) => texts.encodeAnyText(text).toString("hex"))).size).toBe(inOrder.length);
  });

  it("in UTF-8 is stored as such", () => {
    expect(texts.encodeAnyText("z\u0000ü€😀")).toEqual(Buffer.from("z\u0000ü€😀"));
  });

  it("has a key of 16 bytes, and several texts have another one than these joined", () => {
    const keys = [["ab", "c"], ["a", "bc"], ["abc"], ["a", "b", "c"], ["\ud800"], ["\ud801"], ["\ufffd"], [""], []];
    const seen = keys.map((parts) => texts.hashKeyOf(...parts));
    expect(seen.map(({ length }) => length)).toEqual(keys.map(() => 16));
    expect(new Set(seen.map((key) => key.toString("hex"))).size).toBe(keys.length);
    expect(Buffer.from(texts.hashTextOf("ab", "c"), "latin1")).toEqual(texts.hashKeyOf("ab", "c"));
  });

  it("of a lease is its key and the name of its holder", () => {
    const token = leaseToken("0123456789abcdef/7");
    expect(texts.tokenValues(token)).toEqual([texts.hashKeyOf(token), Buffer.from("0123456789abcdef")]);
  });
});

describe("an array", () => {
  const int = (bits: number) => fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });
  const listOf = <T>(item: fc.Arbitrary<T>) => fc.array(fc.option(item), { maxLength: 20 });

  it("of numbers has each number and each null, in the format of the database", () => {
    fc.assert(
      fc.property(listOf(fc.maxSafeInteger()), listOf(int(32)), listOf(int(16)), (eights, fours, twos) => {
        const read = (bytes: Buffer) => Number(bytes.readBigInt64BE());
        expect(readArray(values.int8Array(eights), read)).toEqual({ type: 20, items: eights });
        expect(readArray(values.int4Array(fours), (b) => b.readInt32BE())).toEqual({ type: 23, items: fours });
        expect(readArray(values.int2Array(twos), (b) => b.readInt16BE())).toEqual({ type: 21, items: twos });
      }),
    );
  });

  it("of bytes, texts or keys has each of them and each null", () => {
    const bytes = fc.uint8Array({ maxLength: 40 });
    const key = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((raw) => Buffer.from(raw).toString("latin1"));
    fc.assert(
      fc.property(listOf(bytes), listOf(anyText), listOf(key), (raw, any, keys) => {
        expect(readArray(values.byteaArray(raw), (b) => new Uint8Array(b))).toEqual({ type: 17, items: raw });
        expect(readArray(values.textArray(any), texts.decodeStoredText)).toEqual({ type: 17, items: any });
        expect(readArray(values.keyArray(keys), (b) => b.toString("latin1"))).toEqual({ type: 2950, items: keys });
      }),
    );
  });
});

describe("a limit", () => {
  it("is the largest that leaves room for one more row, if it is larger", () => {
    expect([5, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY].map(values.toLimit)).toEqual([
      5, 2_147_483_646, 2_147_483_646,
    ]);
  });

  it("has placeholders from the first on", () => {
    expect([values.placeholders(1), values.placeholders(3)]).toEqual(["$1", "$1, $2, $3"]);
  });
});

describe("a column", () => {
  const row = { number: "12", none: null, odd: "1.5", great: "9007199254740993", word: "x", bytes: "\\x4100" };
  const corrupt = (name: string) =>
    expect.objectContaining({
      code: "corrupt",
      message: `PostgreSQL: the column ${name} has an invalid value`,
    }) as Error;

  it("of a number is one, and nothing that is not a safe integer", () => {
    expect(rows.readDigits(row, "number")).toBe(12);
    for (const name of ["odd", "great", "word"]) {
      expect(() => rows.readDigits(row, name)).toThrow(corrupt(name));
      expect(() => rows.readOptionalDigits(row, name)).toThrow(corrupt(name));
    }
  });

  it("of bytes is those of its digits", () => {
    expect(rows.readBytes(row, "bytes")).toEqual(Buffer.from([0x41, 0]));
    expect(rows.readBytesText(row, "bytes")).toBe("A\u0000");
    expect(rows.readOptionalBytesText(row, "bytes")).toBe("A\u0000");
  });

  it("that is null is corrupt where there must be a value, and else absent", () => {
    for (const name of ["none", "absent"]) {
      expect(() => rows.readDigits(row, name)).toThrow(corrupt(name));
      expect(() => rows.readBytes(row, name)).toThrow(corrupt(name));
      expect(rows.readOptionalDigits(row, name)).toBeUndefined();
      expect(rows.readOptionalBytes(row, name)).toBeUndefined();
      expect(rows.readOptionalBytesText(row, name)).toBeUndefined();
      expect(rows.readTextOrEmpty(row, name)).toBe("");
      expect(rows.readFlag(row, name)).toBe(false);
      expect(rows.readBytesArray(row, name)).toEqual([]);
    }
  });

  it("of a flag is true as either driver writes it", () => {
    expect(["t", "true", "f", "false"].map((is) => rows.readFlag({ is }, "is"))).toEqual([true, true, false, false]);
  });

  it("of an array of bytes has its items without nulls", () => {
    const array = { one: '{"\\\\x41","\\\\x00ff"}', some: '{NULL,"\\\\x42"}', none: "{}" };
    expect(rows.readBytesArray(array, "one")).toEqual([Buffer.from([0x41]), Buffer.from([0, 0xff])]);
    expect(rows.readBytesArray(array, "some")).toEqual([Buffer.from([0x42])]);
    expect(rows.readBytesArray(array, "none")).toEqual([]);
  });
});

for (const installed of installedServers().slice(0, 1)) {
  describe(`a record on ${installed.name}`, () => {
    const { pool } = startForSuite(installed);

    it.each(["name", "body", "checksum"])(
      "whose %s was changed in the database is refused as corrupt",
      async (column) => {
        const schema = `changed ${column}`;
        const store = await openPostgresStore({ pool: pool(), clock: createSystemClock(), schema });
        onTestFinished(() => store.close());
        const record = { kind: "pause", key: "one", revision: 1, text: "{}" } as const;
        await store.records?.put(record);
        expect(await store.records?.find("pause", "one")).toEqual(record);
        await pool().query(`update "${schema}".record set ${column} = ${column} || 'x'::bytea`);
        const isCorrupt = expect.objectContaining({ code: "corrupt" });
        await expect(store.records?.find("pause", "one")).rejects.toThrow(isCorrupt);
        await expect(store.records?.list({ kind: "pause", limit: 5 })).rejects.toThrow(isCorrupt);
      },
    );
  });
}

/** Reads the binary format of an array with at most one dimension. */
function readArray<T>(bytes: Buffer, read: (item: Buffer) => T): { type: number; items: readonly (T | null)[] } {
  const [dimensions, flags, type, count] = [0, 4, 8, 12].map((at) => (at < bytes.length ? bytes.readInt32BE(at) : 0));
  const items: (T | null)[] = [];
  let at = dimensions === 0 ? 12 : 20;
  if (dimensions === 1) expect(bytes.readInt32BE(16)).toBe(1);
  for (let index = 0; index < (dimensions === 1 ? (count ?? 0) : 0); index += 1) {
    const size = bytes.readInt32BE(at);
    at += 4;
    items.push(size === -1 ? null : read(bytes.subarray(at, at + size)));
    at += Math.max(0, size);
  }
  expect(at).toBe(bytes.length);
  expect(flags).toBe(Number(items.includes(null)));
  return { type: type ?? 0, items };
}

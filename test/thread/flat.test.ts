// Values that are written flat are read as they were, from copies that share no buffer where that was asked for; what is cut short,
// made longer or wrong is refused.

import { nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  takeBytes,
  readKeptBytes,
  readList,
  takeNumber,
  takeSharedText,
  takeText,
  unpackFlat,
  type FlatWriter,
  packFlat,
  writeBytes,
  writeKeptBytes,
  writeList,
  writeNumber,
  writeShared,
  writeText,
} from "../../packages/thread/src/flat.js";
import { KEPT_SCRATCH_NUMBERS, OWN_BUFFER_BYTES } from "../../packages/thread/src/limits.js";
import { buffersOf, type Parcel } from "../../packages/thread/src/channel.js";

const DAMAGED = "incomplete or damaged";

const lengths = fc.array(
  fc.oneof(fc.nat(20), fc.integer({ min: OWN_BUFFER_BYTES - 1, max: OWN_BUFFER_BYTES + 1 }), fc.constant(32_768)),
);

const kept = (...arrays: readonly Uint8Array[]): Parcel => packFlat((to) => writeList(to, arrays, writeKeptBytes));
const readAllKept = (parcel: Parcel): Uint8Array[] => unpackFlat(parcel, (from) => readList(from, readKeptBytes));

describe("byte arrays", () => {
  it.each([
    ["views", writeBytes, takeBytes],
    ["copies", writeKeptBytes, readKeptBytes],
  ])("are read as %s in their order, whatever their lengths", (_, write, read) => {
    fc.assert(
      fc.property(lengths, (all) => {
        const arrays = all.map((length, index) => new Uint8Array(length).fill(index + 1));
        const parcel = packFlat((to) => writeList(to, arrays, write));
        const wrong = unpackFlat(parcel, (from) => readList(from, read)).filter(
          (bytes, index) => Buffer.compare(bytes, arrays[index] ?? new Uint8Array([0])) !== 0,
        );
        expect(wrong).toEqual([]);
      }),
    );
  });

  it("that the receiver keeps are not copied by it from OWN_BUFFER_BYTES on, and share no buffer below", () => {
    const parcel = kept(new Uint8Array(OWN_BUFFER_BYTES), new Uint8Array(OWN_BUFFER_BYTES - 1));
    const [long, short] = readAllKept(parcel);
    expect(long).toBe(parcel.large?.[0]);
    expect(short?.buffer.byteLength).toBe(OWN_BUFFER_BYTES - 1);
  });

  it("stay with the sender, and cross with all their buffers", () => {
    const long = new Uint8Array(OWN_BUFFER_BYTES).fill(7);
    const parcel = kept(long, new Uint8Array(3), long);
    const crossed = structuredClone(parcel, { transfer: buffersOf(parcel) });
    expect(parcel.bytes?.length).toBe(0);
    expect(parcel.large?.map(({ length }) => length)).toEqual([0, 0]);
    expect(long).toEqual(new Uint8Array(OWN_BUFFER_BYTES).fill(7));
    expect(readAllKept(crossed)).toEqual([long, new Uint8Array(3), long]);
  });

  it("are refused if a long one is missing, is left over or has another length", () => {
    const { text, bytes = new Uint8Array() } = kept(new Uint8Array(OWN_BUFFER_BYTES));
    const none = { text, bytes };
    expect(() => readAllKept(none)).toThrow(DAMAGED);
    expect(() => readAllKept({ ...none, large: [new Uint8Array(OWN_BUFFER_BYTES + 1)] })).toThrow(DAMAGED);
    expect(() => readAllKept({ ...kept(), large: [new Uint8Array(OWN_BUFFER_BYTES)] })).toThrow(DAMAGED);
  });
});

describe("texts and numbers", () => {
  it("are read as they were: any text, alone or shared, and any number", () => {
    fc.assert(
      fc.property(fc.array(nastyStrings()), fc.array(fc.double()), (texts, numbers) => {
        const parcel = packFlat((to) => {
          writeList(to, texts, writeText);
          writeList(to, numbers, writeNumber);
          writeList(to, [...texts, ...texts], writeShared);
        });
        unpackFlat(structuredClone(parcel), (from) => {
          expect(readList(from, takeText)).toEqual(texts);
          expect(readList(from, takeNumber)).toEqual(numbers);
          expect(readList(from, takeSharedText)).toEqual([...texts, ...texts]);
        });
      }),
    );
  });

  it("cross once if they are shared", () => {
    const { text } = packFlat((to) => writeList(to, ["crm", "web", "crm"], writeShared));
    expect(text).toBe("crmweb");
  });

  it("may be more than the writer has room for, before and after", () => {
    const many = Array.from({ length: KEPT_SCRATCH_NUMBERS + 1 }, (_, index) => index);
    for (const list of [[1], many, [2]]) {
      const parcel = packFlat((to) => writeList(to, list, writeNumber));
      expect(unpackFlat(parcel, (from) => readList(from, takeNumber))).toEqual(list);
    }
  });

  it("are not mixed with those of a value that could not be written", () => {
    const fail = (to: FlatWriter): never => {
      writeShared(to, "left behind");
      throw new Error("no such body");
    };
    expect(() => packFlat(fail)).toThrow("no such body");
    expect(packFlat((to) => writeShared(to, "crm"))).toEqual(packFlat((to) => writeShared(to, "crm")));
    expect(packFlat((to) => writeShared(to, "crm")).text).toBe("crm");
  });
});

describe("a parcel that is not as it was sent", () => {
  const whole = packFlat((to) => {
    writeText(to, "text");
    writeShared(to, "shared");
    writeBytes(to, new Uint8Array([1, 2, 3]));
    writeKeptBytes(to, new Uint8Array([4, 5]));
    writeList(to, [6, 7], writeNumber);
  });
  const readAll = (parcel: Parcel): void => {
    unpackFlat(parcel, (from) => {
      takeText(from);
      takeSharedText(from);
      takeBytes(from);
      readKeptBytes(from);
      readList(from, takeNumber);
    });
  };
  const bytes = whole.bytes ?? new Uint8Array();

  it("is refused if it is cut anywhere", () => {
    expect(() => {
      readAll(whole);
    }).not.toThrow();
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => {
        readAll({ ...whole, bytes: bytes.slice(0, length) });
      }).toThrow(DAMAGED);
    }
    for (let length = 0; length < whole.text.length; length += 1) {
      expect(() => {
        readAll({ ...whole, text: whole.text.slice(0, length) });
      }).toThrow(DAMAGED);
    }
  });

  it("is refused if it has no bytes, or more than was written", () => {
    const longer = new Uint8Array([...bytes, 0]);
    for (const parcel of [{ text: whole.text }, { ...whole, text: `${whole.text} ` }, { ...whole, bytes: longer }]) {
      expect(() => {
        readAll(parcel);
      }).toThrow(DAMAGED);
    }
  });

  it("is refused or read within its bounds if any number in it is another one", () => {
    const count = new Float64Array(bytes.buffer, 0, 1)[0] ?? 0;
    const others = [-1, 0.5, 1, 2, 3, 1_000, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY];
    // Seven places say what comes after them; the last two are numbers of the value.
    for (let place = 0; place < count - 2; place += 1) {
      for (const other of others) {
        const copy = bytes.slice();
        const numbers = new Float64Array(copy.buffer, 0, count);
        if (numbers[place] === other) continue;
        numbers[place] = other;
        expect(() => {
          readAll({ ...whole, bytes: copy });
        }).toThrow(DAMAGED);
      }
    }
  });
});

// A log that a power cut tore is distinguished from one that is damaged. The logs are written by SQLite.

import { inspectWriteAheadLog } from "@postrider/sqlite";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { changes, message, NOW } from "../changes.js";
import { newFile, openFile, openStore } from "../files.js";

const COMMITS = 12;

/** The log after some commits, and how long it was after each. */
let log: Buffer;
const ends: number[] = [];

beforeAll(async () => {
  const file = newFile();
  await openStore(file).close();
  const store = openStore(file);
  for (let commit = 0; commit < COMMITS; commit += 1) {
    await store.commit(changes({ accept: [message(String(commit))] }), NOW);
    log = readFileSync(`${file}-wal`);
    ends.push(log.length);
  }
  await store.close();
});

function without(from: number, until: number): Buffer {
  return Buffer.concat([log.subarray(0, from), Buffer.alloc(until - from), log.subarray(until)]);
}

describe("a log", () => {
  it("is sound as SQLite left it, empty or full", () => {
    expect(inspectWriteAheadLog(log)).toBe("sound");
    expect(inspectWriteAheadLog(new Uint8Array())).toBe("sound");
  });

  it("that ends at any byte is sound: a power cut can leave that", () => {
    fc.assert(
      fc.property(fc.nat(log.length), (length) => {
        expect(inspectWriteAheadLog(log.subarray(0, length))).toBe("sound");
      }),
    );
  });

  it("whose last commit is torn in any way is sound: that commit was not acknowledged", () => {
    const start = ends.at(-2)!;
    fc.assert(
      fc.property(fc.array(fc.nat(log.length - start - 1), { minLength: 1, maxLength: 9 }), (sectors) => {
        const torn = Buffer.from(log);
        for (const at of sectors) torn.fill(0, start + at, Math.min(start + at + 512, torn.length));
        expect(inspectWriteAheadLog(torn)).toBe("sound");
      }),
    );
  });

  it("with any changed byte before its last two commits is not sound", () => {
    fc.assert(
      fc.property(fc.nat(ends.at(-3)! - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(log);
        changed[at]! ^= change;
        expect(inspectWriteAheadLog(changed)).not.toBe("sound");
      }),
    );
  });

  it("that has lost a commit in its middle is broken", () => {
    expect(inspectWriteAheadLog(without(ends[3]!, ends[4]!))).toBe("broken");
  });

  it("with a header that no log has is not a log", () => {
    expect(inspectWriteAheadLog(Buffer.concat([Buffer.alloc(32, 7), log.subarray(32)]))).toBe("not-a-log");
    expect(inspectWriteAheadLog(Buffer.from("a text that is longer than the header of a log"))).toBe("not-a-log");
  });

  it("whose header never reached the disk is a new one", () => {
    expect(inspectWriteAheadLog(Buffer.alloc(10_000))).toBe("sound");
  });

  it("that was restarted is sound with the rest of the old one after it, torn or not", async () => {
    const file = newFile();
    const store = openStore(file);
    for (let commit = 0; commit < COMMITS; commit += 1) {
      await store.commit(changes({ accept: [message(String(commit))] }), NOW);
    }
    const other = openFile(file);
    other.exec("pragma wal_checkpoint(restart)");
    await store.commit(changes({ accept: [message("new")] }), NOW);
    const restarted = readFileSync(`${file}-wal`);
    expect(inspectWriteAheadLog(restarted)).toBe("sound");
    for (let at = 32; at < restarted.length; at += 2_560) {
      const torn = Buffer.from(restarted);
      torn.fill(0, at, Math.min(at + 512, torn.length));
      expect(inspectWriteAheadLog(torn)).toBe("sound");
    }
    other.close();
    await store.close();
  });
});

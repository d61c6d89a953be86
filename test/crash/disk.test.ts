import { createSeededRandom } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createDisk, type Survival } from "./disk.js";
import type { DiskStep } from "./parse-trace.js";

const random = createSeededRandom(4);
const created: DiskStep = { kind: "created", file: "a" };
const synced: DiskStep = { kind: "synced", file: "a" };
const folderSynced: DiskStep = { kind: "folder-synced" };
const write = (at: number, bytes: Buffer | string): DiskStep => ({
  kind: "written",
  file: "a",
  at,
  bytes: Buffer.from(bytes),
});

function diskAfter(...steps: readonly DiskStep[]) {
  const disk = createDisk();
  for (const step of steps) disk.apply(step);
  return (survival: Survival) => disk.cut(survival, random).get("a");
}

describe("after a power cut", () => {
  it("all synced data is there, and all other data may be lost", () => {
    const cut = diskAfter(created, write(0, "old"), synced, folderSynced, write(0, "new"));
    expect(cut("none")?.toString()).toBe("old");
    expect(cut("all")?.toString()).toBe("new");
  });

  it("a file is found by its name only once its folder was synced", () => {
    expect(diskAfter(created, write(0, "old"), synced)("none")).toBeUndefined();
    expect(diskAfter(created, write(0, "old"), synced, folderSynced)("none")?.toString()).toBe("old");
    expect(diskAfter(created, folderSynced, { kind: "removed", file: "a" })("none")).toBeDefined();
    expect(diskAfter(created, folderSynced, { kind: "removed", file: "a" })("all")).toBeUndefined();
  });

  it("a file that was cut and grows again has zeros where nothing was written", () => {
    const cut = diskAfter(
      created,
      write(0, "abcdef"),
      { kind: "truncated", file: "a", size: 2 },
      write(4, "x"),
      folderSynced,
    );
    expect(cut("all")?.toString()).toBe("ab\0\0x");
  });

  it("a torn write is there up to the end of a sector, earlier writes completely, later ones not at all", () => {
    const [first, second] = [Buffer.alloc(700, 1), Buffer.alloc(2_000, 2)];
    const cut = diskAfter(created, folderSynced, write(0, first), write(700, second), write(2_700, "end"));
    const sizes = new Set(Array.from({ length: 500 }, () => cut("torn")!.length));
    expect([...sizes].sort((one, other) => one - other)).toEqual([0, 512, 700, 1024, 1536, 2048, 2560, 2700, 2703]);
  });

  it("any sectors of any unsynced writes may be there", () => {
    const cut = diskAfter(
      created,
      write(0, Buffer.alloc(2_048)),
      synced,
      folderSynced,
      write(0, Buffer.alloc(2_048, 1)),
    );
    const patterns = new Set(
      Array.from({ length: 500 }, () => [0, 512, 1024, 1536].map((at) => cut("scattered")![at])),
    );
    const seen = new Set([...patterns].map((pattern) => pattern.join("")));
    expect(seen.size).toBe(16);
  });
});

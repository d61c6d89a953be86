// A disk in memory: what outlives the stores that are opened on it. Opening another store on the same disk is a restart;
// opening one beside another is a second process. What lies on it only the rooms of delivery-store/ may know.

import { type Contents, emptyContents } from "./delivery-store/contents.js";

/** Holds what memory stores have committed, as long as somebody holds it. */
export interface MemoryDisk {
  readonly kind: "memory-disk";
}

const contents = new WeakMap<MemoryDisk, Contents>();

/** A new, empty disk. */
export function createMemoryDisk(): MemoryDisk {
  const disk: MemoryDisk = { kind: "memory-disk" };
  contents.set(disk, emptyContents());
  return disk;
}

/** What lies on a disk; on one that nobody has made, nothing. */
export function contentsOf(disk: MemoryDisk): Contents {
  return contents.get(disk) ?? emptyContents();
}

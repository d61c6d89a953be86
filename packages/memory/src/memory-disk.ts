// A disk in memory: what outlives the stores that are opened on it. Opening another store on the same disk is a restart;
// opening one beside another is a second process. What lies on it only the rooms of the stores may know, each its own.

import { type Audiences, emptyAudiences } from "./audience-store/audiences.js";
import { type Contents, emptyContents } from "./delivery-store/contents.js";

/** Holds what memory stores have committed, as long as somebody holds it. */
export interface MemoryDisk {
  readonly kind: "memory-disk";
}

interface DiskContents {
  readonly contents: Contents;
  readonly audiences: Audiences;
}

const disks = new WeakMap<MemoryDisk, DiskContents>();

/** A new, empty disk. */
export function createMemoryDisk(): MemoryDisk {
  const disk: MemoryDisk = { kind: "memory-disk" };
  disks.set(disk, emptyDisk());
  return disk;
}

/** What a delivery store has put on a disk; on one that nobody has made, nothing. */
export function contentsOf(disk: MemoryDisk): Contents {
  return onDisk(disk).contents;
}

/** The same, of an audience store. */
export function audiencesOf(disk: MemoryDisk): Audiences {
  return onDisk(disk).audiences;
}

function onDisk(disk: MemoryDisk): DiskContents {
  return disks.get(disk) ?? emptyDisk();
}

function emptyDisk(): DiskContents {
  return { contents: emptyContents(), audiences: emptyAudiences() };
}

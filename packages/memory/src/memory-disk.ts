// A disk in memory, which outlives the stores that are opened on it. Opening a store on the same disk again simulates a
// restart; two open stores on one disk simulate two processes.

import { type AudienceContents, emptyAudiences } from "./audience-store/contents.js";
import { type Contents, emptyContents } from "./delivery-store/contents.js";

/** Holds the commits of memory stores, as long as the disk is referenced. */
export interface MemoryDisk {
  readonly kind: "memory-disk";
}

interface DiskContents {
  readonly contents: Contents;
  readonly audiences: AudienceContents;
}

const disks = new WeakMap<MemoryDisk, DiskContents>();

/** A new, empty disk. */
export function createMemoryDisk(): MemoryDisk {
  const disk: MemoryDisk = { kind: "memory-disk" };
  disks.set(disk, emptyDisk());
  return disk;
}

/** The contents of the delivery store on a disk; new, empty contents if `createMemoryDisk` did not make the disk. */
export function contentsOf(disk: MemoryDisk): Contents {
  return onDisk(disk).contents;
}

/** The contents of the audience store on a disk; new, empty contents if `createMemoryDisk` did not make the disk. */
export function audiencesOf(disk: MemoryDisk): AudienceContents {
  return onDisk(disk).audiences;
}

function onDisk(disk: MemoryDisk): DiskContents {
  return disks.get(disk) ?? emptyDisk();
}

function emptyDisk(): DiskContents {
  return { contents: emptyContents(), audiences: emptyAudiences() };
}

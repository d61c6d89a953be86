// The content of a disk after a power cut: all synced data is there; of later writes, any sectors may be there. The same
// applies to names: a new file is certain to be found only once its folder was synced. This is harsher than real file
// systems are, and is what POSIX allows.

import type { Random } from "@postrider/core";
import type { DiskStep } from "./parse-trace.js";

/** The bytes that a disk writes in one step. */
const SECTOR_BYTES = 512;

/**
 * The part of the unsynced changes that survives. `none`. `all`: as if only the process had died. `torn`: a number of the
 * first changes, the last of them partly. `scattered`: any sectors of any changes.
 */
export const SURVIVALS = ["none", "all", "torn", "scattered"] as const;
export type Survival = (typeof SURVIVALS)[number];

export type Image = ReadonlyMap<string, Buffer>;

export interface Disk {
  apply(step: DiskStep): void;
  /** Whether a cut would lose nothing. */
  isSynced(): boolean;
  /** The files that would be found after a cut now. */
  cut(survival: Survival, random: Random): Image;
}

type Change =
  | { readonly kind: "written"; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: "truncated"; readonly size: number };

interface FileState {
  durable: Buffer;
  pending: Change[];
}

type Names = ReadonlyMap<string, FileState>;
type NameChange = (names: Map<string, FileState>) => void;

export function createDisk(): Disk {
  /** The files as processes see them. */
  const files = new Map<string, FileState>();
  let durableNames: Names = new Map();
  let pendingNames: NameChange[] = [];

  function rename(change: NameChange): void {
    change(files);
    pendingNames.push(change);
  }

  function sync(file: FileState): void {
    file.durable = changed(file.durable, file.pending);
    file.pending = [];
  }

  return {
    apply: (step): void => {
      switch (step.kind) {
        case "created": {
          const created: FileState = { durable: Buffer.alloc(0), pending: [] };
          if (!files.has(step.file)) rename((names) => void names.set(step.file, created));
          return;
        }
        case "removed":
          rename((names) => void names.delete(step.file));
          return;
        case "written":
        case "truncated":
          files.get(step.file)!.pending.push(step);
          return;
        case "synced":
          sync(files.get(step.file)!);
          return;
        case "folder-synced":
          durableNames = new Map(files);
          pendingNames = [];
      }
    },
    isSynced: () => pendingNames.length === 0 && [...files.values()].every(({ pending }) => pending.length === 0),
    cut: (survival, random) => {
      const names = new Map(durableNames);
      for (const apply of survivors(pendingNames, survival, random)) apply(names);
      return new Map([...names].map(([name, file]) => [name, survivingBytes(file, survival, random)]));
    },
  };
}

function survivors<T>(changes: readonly T[], survival: Survival, random: Random): readonly T[] {
  switch (survival) {
    case "none":
      return [];
    case "all":
      return changes;
    case "torn":
      return changes.slice(0, Math.floor(random.unit() * (changes.length + 1)));
    case "scattered": {
      const share = random.unit();
      return changes.filter(() => random.unit() < share);
    }
  }
}

function survivingBytes({ durable, pending }: FileState, survival: Survival, random: Random): Buffer {
  const pieces = survival === "scattered" ? pending.flatMap(sectorsOf) : pending;
  const kept = survivors(pieces, survival, random);
  const [last, ...before] = survival === "torn" ? [...kept].reverse() : [];
  return changed(durable, last === undefined ? kept : [...before.reverse(), ...tear(last, random)]);
}

/** The first `count` sectors of a change. */
function tear(torn: Change, random: Random): readonly Change[] {
  const sectors = sectorsOf(torn);
  return sectors.slice(0, Math.floor(random.unit() * (sectors.length + 1)));
}

function sectorsOf(whole: Change): readonly Change[] {
  if (whole.kind === "truncated") return [whole];
  const { at, bytes } = whole;
  const sectors: Change[] = [];
  for (let from = at; from < at + bytes.length;) {
    const end = Math.min(at + bytes.length, (Math.floor(from / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    sectors.push({ kind: "written", at: from, bytes: bytes.subarray(from - at, end - at) });
    from = end;
  }
  return sectors;
}

/** A file after these changes, in order. If a change begins beyond its end, the gap is filled with zeros. */
function changed(before: Buffer, changes: readonly Change[]): Buffer {
  const bytes = Buffer.alloc(changes.reduce((most, change) => Math.max(most, endOf(change)), before.length));
  before.copy(bytes);
  let size = before.length;
  for (const change of changes) {
    if (change.kind === "truncated") bytes.fill(0, Math.min(change.size, size), size);
    else change.bytes.copy(bytes, change.at);
    size = change.kind === "truncated" ? change.size : Math.max(size, endOf(change));
  }
  return bytes.subarray(0, size);
}

function endOf(change: Change): number {
  return change.kind === "truncated" ? change.size : change.at + change.bytes.length;
}

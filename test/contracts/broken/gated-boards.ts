// A plain board behind the gate of the suite: each method is one access to what it keeps, unless a defect has more.

import type { LaneBoard } from "@postrider/core";
import { type Access, overGatedDisk } from "./gated-disk.js";
import { boardInSteps, createPlainBoard, emptyContents, type PlainBoard, type PlainContents } from "./plain-board.js";
import type { Storage } from "./storage.js";

export interface GatedBoard {
  readonly plain: PlainBoard;
  readonly contents: PlainContents;
  /** One access to the contents, which rejects once the store is closed. */
  readonly step: <T>(work: () => T) => Promise<T>;
}

/** A board with these methods in place of those that are one step each. */
export function overGatedBoard(change: (board: GatedBoard) => Partial<LaneBoard>): () => Storage {
  return () => {
    const contents = emptyContents();
    return overGatedDisk(({ store, access }) => {
      const gated = { contents, plain: createPlainBoard(contents), step: stepThrough(access, () => store.counts()) };
      return { board: { ...inOneStep(gated), ...change(gated) } };
    });
  };
}

function stepThrough(access: Access, whileOpen: () => Promise<unknown>): GatedBoard["step"] {
  return (work) =>
    access(async () => {
      await whileOpen();
      return work();
    });
}

export function inOneStep({ plain, step }: GatedBoard): LaneBoard {
  return boardInSteps(plain, step);
}

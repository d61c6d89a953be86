// Stores for the promises about boards whose steps are apart, at the same time as others or on a storage that fails.

import type { BrokenStore } from "./broken-stores.js";
import * as failing from "./broken/failing-boards.js";
import * as racing from "./broken/racing-boards.js";

const TWO = "between two processes";
const HALF = "what changes a board, and whose answer is lost, has taken effect whole or not at all, after a crash too";
const FAILED =
  "what changes a board and fails as `busy` or `full` has changed nothing, and takes effect when it is repeated";

export const GATED_BOARD_STORES: readonly BrokenStore[] = [
  {
    name: "looks who lives before it beats",
    breaks: `of the first beats of two processes at the same time, one sees the other, ${TWO}`,
    create: racing.lookingBeforeBeating,
  },
  {
    name: "looks who lives before a known process beats",
    breaks: `of two beats at the same time that announce other shares than before, one sees the new share of the other, ${TWO}`,
    create: racing.lookingBeforeAnnouncing,
  },
  {
    name: "removes processes that were dead when it looked",
    breaks: `a process that beats again while another removes it lives, with its new share, ${TWO}`,
    create: racing.removingWhatWasDead,
  },
  {
    name: "writes all processes back when one leaves",
    breaks: `a process that leaves while another beats has left, and the other lives, ${TWO}`,
    create: racing.leavingByWritingAll,
  },
  {
    name: "numbers a change before it is written",
    breaks: `a row whose write ends after that of another row, which a beat tells, is told by a later beat from where that ended, ${TWO}`,
    create: racing.numberingBeforeWriting,
  },
  {
    name: "takes the cursor after it has read the rows",
    breaks: `rows that are written during a beat are told by it, all or none, or by a later one from where it ended, ${TWO}`,
    create: racing.takingCursorsLate,
  },
  {
    name: "reads pages of rows from a snapshot, and goes on from the present",
    breaks: `rows that change while pages are read are told at last as they are, ${TWO}`,
    create: racing.pagingThroughSnapshots,
  },
  {
    name: "compares revisions of rows before it writes them",
    breaks: `two writes of a later revision of a row at the same time: one is written, and the other is answered it, ${TWO}`,
    create: racing.comparingBeforeWriting,
  },
  {
    name: "answers what was stored before it wrote",
    breaks: `two writes of the first revision of a row at the same time: one is written, and the other is answered it, ${TWO}`,
    create: racing.answeringWhatWasStored,
  },
  { name: "writes the rows of a board one by one", breaks: HALF, create: racing.writingRowByRow },
  {
    name: "locks rows in the order in which they come",
    breaks: `two writes of the same rows in opposite orders at the same time: one writes all of them, and the other is answered these, ${TWO}`,
    create: racing.lockingInAnyOrder,
  },
  { name: "removes processes after a beat", breaks: HALF, create: failing.removingLater },
  { name: "lets a process leave if it fails to", breaks: HALF, create: failing.leavingSilently },
  { name: "is busy after a beat", breaks: FAILED, create: failing.busyAfterBeating },
  { name: "is busy after a write of rows", breaks: FAILED, create: failing.busyAfterWriting },
  {
    name: "says that no process lives when it cannot read",
    breaks: "a beat that fails rejects: it never answers as if no process lived and nothing had changed",
    create: failing.beatingAlone,
  },
  {
    name: "answers a write of rows before it takes effect",
    breaks:
      "after a crash at any access of a write, a beat and a leave, each that was answered has taken effect, and each other one whole or not at all",
    create: failing.writingBehind,
  },
].map((store) => ({
  ...store,
  skipsModel: true as const,
  supports: { board: true as const },
}));

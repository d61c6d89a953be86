// Stores for the promises about boards. Each breaks one promise.

import type { BrokenStore } from "./broken-stores.js";
import * as pages from "./broken/board-pages.js";
import * as processes from "./broken/board-processes.js";
import * as rows from "./broken/board-rows.js";
import * as boards from "./broken/boards.js";

const BEATS = "a beat tells who lives, the asking process included, each with the share that it announced last";
const LIVES = "a process lives after its beat for the time that the asking process gives, and not a millisecond longer";
const AHEAD = "a process whose beat is ahead of the clock lives if it is ahead by at most the lifetime";
const LATEST = "a process lives from its latest beat on, also if that has an earlier instant than the one before";
const REMOVED = "a process that lives no more is removed: no later beat tells of it until it beats again";
const LEFT = "a process that has left lives no more; all others do, and it may come back";
const KEPT = "a row comes back as it was written, with nothing of the row before it";
const NEXT = "a row is replaced only by its next revision; who writes any other is answered the stored one";
const FIRST = "the first revision of a row is 1; who writes another is answered none, and there is no row";
const SEVERAL =
  "of several rows in one write each that follows is written, and exactly the others are answered as they are stored";
const PAGES = "a page has at most as many rows as its limit, and what it leaves out comes in later ones";
const NO_ROWS = "a page of no rows tells none, says that there are more, and skips none";
const NOW = "a row that has changed is told as it is now, after every earlier cursor";
const PROCESSES = "a process is distinct from all that look alike: when it beats, and when it leaves";
const LANES = "the row of a lane is distinct from those of all that look alike";

const PROCESS_BOARDS: readonly BrokenStore[] = [
  { name: "does not tell a process of itself", breaks: BEATS, create: processes.forgettingWhoAsks },
  { name: "keeps the first share of a process", breaks: BEATS, create: processes.keepingFirstShares },
  { name: "keeps shares as floats of 32 bits", breaks: BEATS, create: processes.roundingShares },
  {
    name: "tells only as many processes as rows",
    breaks: "a beat tells all that live, however few rows it asks for",
    create: processes.pagingProcesses,
  },
  { name: "lets a process die a millisecond early", breaks: LIVES, create: processes.dyingEarly },
  { name: "lets a process die a millisecond late", breaks: LIVES, create: processes.dyingLate },
  { name: "lets processes live by seconds", breaks: LIVES, create: processes.livingBySeconds },
  { name: "lets a process live that was seen in the future", breaks: AHEAD, create: processes.livingAhead },
  { name: "lets a process die that was seen in the future", breaks: AHEAD, create: processes.dyingAhead },
  { name: "keeps the latest instant of a process", breaks: LATEST, create: processes.seenAtTheLatest },
  { name: "keeps the first instant of a process", breaks: LATEST, create: processes.seenAtFirst },
  { name: "hides processes that live no more, and keeps them", breaks: REMOVED, create: processes.hidingTheDead },
  { name: "lets no process leave", breaks: LEFT, create: processes.neverLeaving },
  { name: "lets all processes leave with one", breaks: LEFT, create: processes.leavingTogether },
  { name: "lets another leave for one who is not there", breaks: LEFT, create: processes.leavingForOthers },
  {
    name: "removes the rows of a process that leaves",
    breaks: "the rows of a process stay when it lives no more",
    create: processes.leavingWithRows,
  },
  {
    name: "keeps who lives in memory",
    breaks: "processes on one storage are told of each other",
    create: boards.keepingProcessesInMemory,
  },
  {
    name: "claims what is due with a beat",
    breaks: "a board changes no delivery: what is stored is found, claimed and counted as before",
    create: boards.claimingByBeats,
  },
];

const ROW_BOARDS: readonly BrokenStore[] = [
  {
    name: "keeps boards in memory",
    breaks: "a row outlives a crash right after it was written, with all that it has",
    create: boards.keepingBoardsInMemory,
  },
  { name: "drops probers", breaks: KEPT, create: rows.droppingProbers },
  { name: "keeps what a row had before", breaks: KEPT, create: rows.mergingRows },
  { name: "keeps the prober that a row had before", breaks: KEPT, create: rows.keepingProbers },
  { name: "rounds tokens", breaks: KEPT, create: rows.roundingTokens },
  { name: "keeps tokens as floats of 32 bits", breaks: KEPT, create: rows.floatingTokens },
  { name: "keeps no tokens below 0", breaks: KEPT, create: rows.raisingTokens },
  { name: "drops limits of 0", breaks: KEPT, create: rows.droppingZeros },
  { name: "loses one of the most holds", breaks: KEPT, create: rows.losingHolds },
  { name: "keeps one hold for each instant", breaks: KEPT, create: rows.keepingHoldsByTime },
  {
    name: "keeps one hold for endpoints in upper and lower case",
    breaks: "the endpoints and the prober of a row are distinct from all that look alike",
    create: rows.keepingHoldsByCase,
  },
  { name: "takes lower revisions of rows", breaks: NEXT, create: rows.takingLower },
  { name: "takes the same revision of a row again", breaks: NEXT, create: rows.takingEqual },
  { name: "takes all higher revisions of rows", breaks: NEXT, create: rows.takingHigher },
  { name: "compares the revisions of rows by 32 bits", breaks: NEXT, create: rows.takingBy32Bits },
  { name: "takes any first revision of a row", breaks: FIRST, create: rows.takingAnyFirst },
  { name: "answers a refused row as it was asked", breaks: NEXT, create: rows.answeringTheAsked },
  { name: "answers nothing to who writes a row too late", breaks: NEXT, create: rows.answeringNone },
  { name: "answers a stored row only if it is ahead", breaks: NEXT, create: rows.answeringOnlyHigher },
  { name: "answers a row for a lane that has none", breaks: FIRST, create: rows.answeringAbsent },
  { name: "writes no row if it refuses one", breaks: SEVERAL, create: boards.writingAllOrNone },
  {
    name: "writes no more than 64 rows at once",
    breaks: "a hundred rows with as many holds as they may have are written at once",
    create: boards.cuttingWrites,
  },
  { name: "keeps boards without upper and lower case", breaks: LANES, create: rows.mergingCases },
  { name: "trims the ids of boards", breaks: PROCESSES, create: rows.trimmingIds },
  { name: "cuts the ids of boards", breaks: LANES, create: rows.cuttingIds },
  { name: "tells the ids of boards apart by their ends", breaks: LANES, create: rows.cuttingLongIds },
];

const PAGE_BOARDS: readonly BrokenStore[] = [
  { name: "skips the first change after a cursor", breaks: NOW, create: pages.skippingOne },
  { name: "tells rows as they were first", breaks: NOW, create: pages.tellingFirstStates },
  { name: "cuts a page of rows, and says that there are no more", breaks: PAGES, create: pages.cuttingPages },
  { name: "goes on behind the rows that a page has left out of a board", breaks: PAGES, create: pages.skippingRests },
  { name: "exceeds the limit of rows", breaks: PAGES, create: pages.exceedingPages },
  { name: "says of no page that there are more rows", breaks: PAGES, create: pages.quietAboutMore },
  { name: "says of each page that there are more rows", breaks: PAGES, create: pages.endlessPages },
  { name: "takes a limit of no rows for none", breaks: NO_ROWS, create: pages.unlimitedByNone },
  {
    name: "takes no cursor of a board for the present",
    breaks: "without a cursor a beat tells all rows of the board, in pages of any size",
    create: boards.startingAtThePresent,
  },
  {
    name: "tells a change of a row once",
    breaks: "what one process has been told is told to all others too",
    create: pages.tellingOnce,
  },
  {
    name: "goes through rows by their age",
    breaks: "rows that change while pages are read are told in the rest of the pages",
    create: pages.pagingByAge,
  },
  {
    name: "takes a cursor from before a crash for the present",
    breaks: "rows, and the cursors of pages that were read before, outlive a crash",
    create: boards.startingCursorsAnew,
  },
];

export const BOARD_STORES: readonly BrokenStore[] = [...PROCESS_BOARDS, ...ROW_BOARDS, ...PAGE_BOARDS].map((store) => ({
  ...store,
  skipsModel: true as const,
  supports: { board: true as const },
}));

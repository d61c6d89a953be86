// Stores for the promises about changed lanes. Each breaks one promise.

import type { BrokenStore } from "./broken-stores.js";
import {
  changingNothing,
  forgettingChanges,
  markingLate,
  silentAbout,
  silentAboutEmptied,
  silentAboutFirstAttempts,
  silentAboutPurges,
  skippingTheRest,
  tellingAllAgain,
  tellingOldChanges,
  trustingMarks,
} from "./broken/lane-changes.js";
import { overOneDisk } from "./broken/storage.js";

const TOLD = "whatever changes a lane is told to those who ask for changes, with the lane as it is then";
const PAGES =
  "pages of changes tell each changed lane once and go on where the last one ended, until nothing has changed";
const MARKS = "without a mark no change is told, and with a mark that no store has created none is known";

export const LANE_CHANGE_STORES: readonly BrokenStore[] = [
  { name: "tells no change of a commit", breaks: TOLD, create: () => overOneDisk(silentAbout("commit")) },
  { name: "tells no change of a claim", breaks: TOLD, create: () => overOneDisk(silentAbout("claim")) },
  { name: "tells no change of an end", breaks: TOLD, create: () => overOneDisk(silentAbout("end")) },
  { name: "tells no change of a due time", breaks: TOLD, create: () => overOneDisk(silentAbout("pullIn")) },
  { name: "does not tell that a lane has run empty", breaks: TOLD, create: () => overOneDisk(silentAboutEmptied) },
  {
    name: "tells no change of a first attempt alone",
    breaks: TOLD,
    create: () => overOneDisk(silentAboutFirstAttempts),
  },
  {
    name: "tells no change of a purge",
    breaks: "a purge that removes what waits in a lane is told to those who ask for changes",
    create: () => overOneDisk(silentAboutPurges),
  },
  { name: "tells all changes again", breaks: PAGES, create: () => overOneDisk(tellingAllAgain) },
  {
    name: "goes on behind the lanes that a page has left out",
    breaks: PAGES,
    create: () => overOneDisk(skippingTheRest),
  },
  { name: "takes an unknown mark for the present", breaks: MARKS, create: () => overOneDisk(trustingMarks) },
  { name: "tells old changes to readers without a mark", breaks: MARKS, create: () => overOneDisk(tellingOldChanges) },
  {
    name: "forgets the changes before a restart",
    breaks: "a mark outlives a crash: what has changed since is told, or is said to be unknown",
    create: forgettingChanges,
  },
  {
    name: "says that nothing has changed when it cannot read",
    breaks: "a read of changes that fails rejects: it never answers as if nothing had changed",
    create: changingNothing,
  },
  {
    name: "reads the mark after the changes",
    breaks: "a change that is made while changes are read is told by that read, or by the next, between two processes",
    create: markingLate,
  },
].map((store) => ({
  ...store,
  skipsModel: true as const,
  supports: { laneChanges: true as const },
}));

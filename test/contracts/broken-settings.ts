// Stores for the promises about settings. Each breaks one promise.

import type { BrokenStore } from "./broken-stores.js";
import {
  busyAfterPutting,
  changingBySeconds,
  claimingWhilePutting,
  composingDocuments,
  cuttingDocuments,
  droppingEmptyActors,
  findingTheLatest,
  keepingAllRevisions,
  keepingSettingsInMemory,
  listingByTime,
  listingOldestRevisionFirst,
  listingTooFew,
  overwritingSettings,
  puttingActorsLater,
  puttingInTwoSteps,
  readingNoSettings,
  rememberingSettings,
  rewritingDocuments,
  sortingKeys,
  tellingAlways,
  tellingTheExpected,
  tellingTheNext,
  trimmingActors,
  trustingTheFuture,
} from "./broken/settings.js";
import { overOneDisk } from "./broken/storage.js";

const KEPT = "a revision of the settings comes back unit by unit, also after a crash";
const EXPECTED = "settings replace only the revision that their editor expects; all others are answered the latest one";
const NEW = "the latest settings are answered to a caller to whom they are new, and to no other";
const HISTORY = "the history of the settings has the latest first and keeps a fixed number, also while clocks go back";
const DISTINCT = "settings and their editors are distinct from all that look alike";
const EDITORS =
  "two editors of one revision of the settings at the same time: one is taken, and the other is told, between two processes";

export const SETTINGS_STORES: readonly BrokenStore[] = [
  { name: "keeps settings in memory", breaks: KEPT, create: () => overOneDisk(keepingSettingsInMemory) },
  { name: "writes documents of settings anew", breaks: KEPT, create: () => overOneDisk(rewritingDocuments) },
  { name: "sorts the keys of settings", breaks: KEPT, create: () => overOneDisk(sortingKeys) },
  { name: "cuts long documents of settings", breaks: KEPT, create: () => overOneDisk(cuttingDocuments) },
  { name: "takes an empty editor of settings for none", breaks: KEPT, create: () => overOneDisk(droppingEmptyActors) },
  { name: "keeps the instants of settings as seconds", breaks: KEPT, create: () => overOneDisk(changingBySeconds) },
  { name: "composes the letters of settings", breaks: DISTINCT, create: () => overOneDisk(composingDocuments) },
  { name: "trims the editors of settings", breaks: DISTINCT, create: () => overOneDisk(trimmingActors) },
  { name: "puts settings over any others", breaks: EXPECTED, create: () => overOneDisk(overwritingSettings) },
  {
    name: "takes settings of editors who have seen more than there is",
    breaks: EXPECTED,
    create: () => overOneDisk(trustingTheFuture),
  },
  {
    name: "tells an editor who was too late what that editor knows",
    breaks: EXPECTED,
    create: () => overOneDisk(tellingTheExpected),
  },
  { name: "answers settings that are not new", breaks: NEW, create: () => overOneDisk(tellingAlways) },
  { name: "answers the next settings, not the latest", breaks: NEW, create: () => overOneDisk(tellingTheNext) },
  { name: "finds the latest settings in place of none", breaks: NEW, create: () => overOneDisk(findingTheLatest) },
  { name: "lists settings by the time of their change", breaks: HISTORY, create: () => overOneDisk(listingByTime) },
  {
    name: "lists the oldest settings first",
    breaks: HISTORY,
    create: () => overOneDisk(listingOldestRevisionFirst),
  },
  { name: "lists one revision of settings too few", breaks: HISTORY, create: () => overOneDisk(listingTooFew) },
  { name: "keeps all settings for ever", breaks: HISTORY, create: () => overOneDisk(keepingAllRevisions()) },
  {
    name: "remembers settings, and does not see those of other processes",
    breaks: "what one process puts into the settings, another sees and follows",
    create: () => overOneDisk(rememberingSettings),
  },
  {
    name: "claims what is due when settings are put",
    breaks: "settings change no delivery: what is stored is found, claimed and counted as before",
    create: () => overOneDisk(claimingWhilePutting),
  },
  { name: "puts settings in two steps", breaks: EDITORS, create: puttingInTwoSteps },
  {
    name: "puts the editor of settings in a separate step",
    breaks: "a put of settings whose answer is lost has taken effect whole or not at all, after a crash too",
    create: puttingActorsLater,
  },
  {
    name: "says that there are no settings when it cannot read",
    breaks: "a read of settings that fails rejects: it never answers as if there were none",
    create: readingNoSettings,
  },
  {
    name: "is busy after it has put settings",
    breaks: "a put of settings that fails as `busy` has changed nothing, and takes effect when it is repeated",
    create: busyAfterPutting,
  },
].map((store) => ({ ...store, skipsModel: true as const }));

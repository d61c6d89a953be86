// Records that are broken in one way, for a delivery store and for an audience store. The suites of both must catch each of them.

import {
  answeringEarly,
  busyAfterPutting,
  busyAfterRemoving,
  comparingThenWriting,
  creatingWhatWasNew,
  findingNothing,
  goingOn,
  listingInSteps,
  listingNothing,
  puttingTagsLater,
  replacingTheRemoved,
} from "./broken/gated-records.js";
import {
  comparingWithItsLast,
  continuingByTag,
  cuttingTags,
  endingEarly,
  filteringPages,
  ignoringTags,
  keepingFirstTags,
  listingByPrefix,
  listingByTime,
  listingSome,
  listingWithoutLimit,
  remembering,
  repeatingTheLast,
  startingOver,
} from "./broken/listed-records.js";
import {
  aliasing,
  type BreakRecords,
  bringingBack,
  comparingBy32Bits,
  composingTexts,
  countingOn,
  cuttingKeys,
  cuttingLongTexts,
  cuttingTexts,
  droppingMarks,
  findingAlways,
  findingTheNext,
  foldingKeys,
  joiningKinds,
  joiningLines,
  keepingInMemory,
  keepingTags,
  keepingTexts,
  keysThroughUtf8,
  missingTheEmptyKey,
  overwriting,
  removingAllKinds,
  rewritingTexts,
  startingAtTheEmptyKey,
  trimmingKeys,
  trimmingTexts,
  trustingRevisions,
} from "./broken/records.js";

export interface BrokenRecords {
  readonly name: string;
  /** The promise that they break first of all. */
  readonly breaks: string;
  /** Breaks the records of all stores that are opened on one storage. */
  readonly create: () => BreakRecords;
}

const NEW = "a new record is stored at revision 1, and a second one with its key is refused";
const REPLACED = "a record is replaced only by the revision that follows its revision, and then whole";
const ABSENT = "a record that does not exist is not replaced, and does not exist afterwards";
const ABOVE = "a record is found by a caller with a lower revision, and by no other";
const REMOVED = "a removed record is gone, a second removal changes nothing, and its key begins at revision 1 again";
const KINDS = "records of different kinds are separate, also with one key and one tag";
const KEYS = "the key of a record is distinct from all that look alike, at its beginning and at its end";
const EMPTY_KEY = "the empty text is a key like any other";
const TEXTS = "the text of a record comes back unit by unit, also after a crash and after a replacement";
const LONG_TEXTS = "a text of the most bytes comes back whole, whatever its letters are, and also for a shorter one";
const PAGES = "records are listed in pages of any size, each once and whole, in one order";
const BEHIND = "a page continues after a key whose record is gone, or was never there";
const TAGGED = "records are listed by tag, all of them in pages of any size, also after one without it";
const TAG = "a record has its tag until a replacement with another or with none, or its removal";
const TAGS = "a tag is distinct from all others, from its shortest to its longest";

/** Records over a disk. */
export const PLAIN_RECORDS: readonly BrokenRecords[] = [
  { name: "writes a new record over an old one", breaks: NEW, create: () => overwriting },
  { name: "replaces records of any revision", breaks: REPLACED, create: () => trustingRevisions },
  { name: "compares the revisions of records by 32 bits", breaks: REPLACED, create: () => comparingBy32Bits },
  { name: "keeps the text that a record had before", breaks: REPLACED, create: () => keepingTexts },
  { name: "stores a record that is to replace none", breaks: ABSENT, create: () => bringingBack },
  { name: "finds records that are not higher", breaks: ABOVE, create: () => findingAlways },
  { name: "finds only the revision that follows", breaks: ABOVE, create: () => findingTheNext },
  { name: "counts on where a record was removed", breaks: REMOVED, create: countingOn },
  { name: "has one set of keys for all kinds of records", breaks: KINDS, create: () => joiningKinds },
  { name: "removes the records of all kinds with a key", breaks: KINDS, create: () => removingAllKinds },
  {
    name: "hands out the records of its callers",
    breaks: "a record changed by its caller stays as it was stored",
    create: aliasing,
  },
  { name: "compares the keys of records without case", breaks: KEYS, create: () => foldingKeys },
  { name: "trims the keys of records", breaks: KEYS, create: () => trimmingKeys },
  { name: "cuts the keys of records", breaks: KEYS, create: () => cuttingKeys },
  { name: "passes the keys of records through UTF-8", breaks: KEYS, create: () => keysThroughUtf8 },
  { name: "takes an empty key for none", breaks: EMPTY_KEY, create: () => missingTheEmptyKey },
  { name: "starts over after an empty key", breaks: EMPTY_KEY, create: () => startingAtTheEmptyKey },
  { name: "trims the texts of records", breaks: TEXTS, create: () => trimmingTexts },
  { name: "changes the ends of lines in records", breaks: TEXTS, create: () => joiningLines },
  { name: "drops a mark at the beginning of a text", breaks: TEXTS, create: () => droppingMarks },
  { name: "writes the JSON of records anew", breaks: TEXTS, create: () => rewritingTexts },
  { name: "cuts the texts of records at 64 KiB", breaks: LONG_TEXTS, create: () => cuttingTexts },
  { name: "cuts the texts of records at the size of a batch", breaks: LONG_TEXTS, create: () => cuttingLongTexts },
  {
    name: "composes the letters of records",
    breaks: "the text of a record is distinct from all that look alike",
    create: () => composingTexts,
  },
  { name: "begins a page of records with the last of the page before", breaks: PAGES, create: () => repeatingTheLast },
  { name: "takes a limit of no records for no limit", breaks: PAGES, create: () => listingWithoutLimit },
  {
    name: "lists records by the time of their change",
    breaks: "the order of a list stays when records are replaced, removed and added",
    create: listingByTime,
  },
  { name: "starts over with a list whose place is gone", breaks: BEHIND, create: () => startingOver },
  { name: "ends a list whose place is gone", breaks: BEHIND, create: () => endingEarly },
  { name: "lists 50 records", breaks: TAGGED, create: () => listingSome },
  { name: "lists records whatever their tag", breaks: TAGGED, create: () => ignoringTags },
  { name: "leaves records without the tag out of each page", breaks: TAGGED, create: () => filteringPages },
  { name: "continues a list by tag only after its records", breaks: TAGGED, create: () => continuingByTag },
  { name: "keeps the tag that a record had before", breaks: TAG, create: () => keepingTags },
  { name: "lists records by their first tag", breaks: TAG, create: keepingFirstTags },
  { name: "lists records by the beginning of their tag", breaks: TAGS, create: () => listingByPrefix },
  { name: "cuts the tags of records", breaks: TAGS, create: () => cuttingTags },
  {
    name: "keeps records in memory",
    breaks: "records survive a crash as they were put, replaced or removed",
    create: () => keepingInMemory,
  },
  {
    name: "remembers records, and does not see those of other processes",
    breaks: "a record that one process puts, replaces or removes is seen by another at once",
    create: () => remembering,
  },
  {
    name: "compares the revisions of records with what its process knows",
    breaks: "a process that has seen an older revision replaces no record",
    create: () => comparingWithItsLast,
  },
];

const BETWEEN = ", between two processes";
const BUSY =
  "a change of a record that fails as `busy` or `full` at any access has changed nothing, and takes effect when it is repeated";
const READS = "a read of records that fails rejects: it never answers as if there were none";
const WHOLE = "a record is found and listed whole, before or after a replacement at the same time";

/** Records over a disk behind the gate of the suite. */
export const GATED_RECORDS: readonly BrokenRecords[] = [
  {
    name: "creates a record that was new when it looked",
    breaks: `two new records with one key at the same time: one is stored, and only its caller is answered so${BETWEEN}`,
    create: () => creatingWhatWasNew,
  },
  {
    name: "compares the revision of a record before it writes it",
    breaks: `two replacements of one revision at the same time: one is stored, and only its caller is answered so${BETWEEN}`,
    create: () => comparingThenWriting,
  },
  {
    name: "lets two callers take a free record",
    breaks: `two callers that take a free record at the same time: one takes it, and the record says which${BETWEEN}`,
    create: () => comparingThenWriting,
  },
  {
    name: "replaces a record that was removed meanwhile",
    breaks: `a replacement and a removal at the same time: the record is gone, whether it was replaced or not${BETWEEN}`,
    create: () => replacingTheRemoved,
  },
  { name: "reads a list of records in two steps", breaks: `${WHOLE}${BETWEEN}`, create: () => listingInSteps },
  {
    name: "answers a change of a record before it has written it",
    breaks:
      "after a crash at any access of three changes of records, each that was answered is there, and each other one whole or not at all",
    create: () => answeringEarly,
  },
  { name: "is busy after it has put a record", breaks: BUSY, create: () => busyAfterPutting },
  { name: "is busy after it has removed a record", breaks: BUSY, create: () => busyAfterRemoving },
  {
    name: "puts the tag of a record in a separate step",
    breaks:
      "a change of a record that fails as `unavailable` at any access takes effect whole or not at all, after a crash too",
    create: puttingTagsLater,
  },
  {
    name: "goes on with records after a fault that is corrupt",
    breaks:
      "after a change of a record that fails as `corrupt` no record is answered, and it took effect whole or not at all",
    create: () => goingOn,
  },
  { name: "says that there is no record when it cannot read", breaks: READS, create: () => findingNothing },
  { name: "says that there are no records when it cannot read", breaks: READS, create: () => listingNothing },
];

// Stores for the promises about outboxes, hints and ends. Each breaks one promise.

import type { BrokenStore } from "./broken-stores.js";
import * as adds from "./broken/adds.js";
import * as ends from "./broken/ends.js";
import * as hints from "./broken/hints.js";
import * as listeners from "./broken/listeners.js";
import * as losses from "./broken/outbox-losses.js";
import * as outboxes from "./broken/outboxes.js";
import * as small from "./broken/small-outboxes.js";

type Broken = readonly Pick<BrokenStore, "name" | "breaks" | "create" | "supports">[];

const TEXTS = "the source of a call is distinct from all that look alike: as it is read, counted and left out";
const STATEMENT = "a call is added by one statement, which has its places once and in order, and a text for each";
const FAILED =
  "the error of its statement reaches the host as it is: the statement is not sent again, and no call is added";
const AS_IT_WAS = "a call comes back as the text that it was, whatever is in it";
const ANSWERED = "a call is answered once its statement is, whatever that answers";
const PAGES = "pages of any size follow each other, with each call once, and only the last one is short";
const BEHIND = "a page goes on behind an entry that was removed, whatever is left before it";
const LEFT_OUT =
  "a walk leaves out all calls of the sources in `except`, however many, and its pages are full without them";
const COUNTED = "the calls of a source are counted up to the limit, and no others with them";
const ONE_FOR_ALL = "processes on one storage have one outbox: what one removes is gone for all";
const NOW =
  "a page and a count are as the outbox is now, whatever this process was answered before another one changed it";
const TWICE = "the same call twice is two entries, of one transaction and of two";
const AT_ONCE = "calls that are added at the same time are all there, of one transaction and of two";
const HELD = "calls whose statements are not answered yet let no other one wait, however many, also if it is the same";
const DELETED =
  "a deletion of its user leaves a call in the outbox, from the request to its end, and so does a suppression";
const KEPT =
  "no commit and no method of lanes removes a call from the outbox, also of the same source, user and `messageId`";
const MANY = "very many calls are read in large pages, counted, left out, and removed at once";
const REMOVED = "entries are removed by their ids: those that are gone are passed over, and no others are removed";

const OUTBOXES: Broken = [
  {
    name: "adds calls at once, whatever becomes of their transaction",
    breaks: "a call whose transaction is rolled back is never in the outbox",
    create: outboxes.addingAtOnce,
  },
  {
    name: "takes equal calls for one",
    breaks: TWICE,
    create: outboxes.mergingEqualCalls,
  },
  {
    name: "removes the twin of a call that it removes",
    breaks: TWICE,
    create: outboxes.removingTwins,
  },
  {
    name: "sends the last of the calls that are added in one turn",
    breaks: AT_ONCE,
    create: adds.sendingTheLastOfATurn,
  },
  { name: "writes the JSON of calls anew", breaks: AS_IT_WAS, create: outboxes.writingCallsAnew },
  { name: "expands what stands for a match in the texts of calls", breaks: AS_IT_WAS, create: outboxes.expandingCalls },
  { name: "replaces noncharacters in the texts of calls", breaks: AS_IT_WAS, create: outboxes.replacingNoncharacters },
  {
    name: "cuts the texts of calls at 64 KiB",
    breaks: "a call of the largest size comes back whole",
    create: outboxes.cuttingCalls,
  },
  { name: "passes the sources of calls through UTF-8", breaks: TEXTS, create: outboxes.passingSourcesThroughUtf8 },
  { name: "counts the calls of sources without case", breaks: TEXTS, create: outboxes.countingWithoutCase },
  { name: "leaves out sources without case", breaks: TEXTS, create: outboxes.leavingOutWithoutCase },
  { name: "asks before it adds a call", breaks: STATEMENT, create: adds.askingFirst },
  { name: "names a place of its statement twice", breaks: STATEMENT, create: adds.namingAPlaceTwice },
  { name: "gives its statement a number", breaks: STATEMENT, create: adds.givingNumbers },
  { name: "answers a call before its statement", breaks: ANSWERED, create: adds.answeringBeforeItsStatement },
  { name: "reads what its statement answers", breaks: ANSWERED, create: adds.readingTheRowsOfStatements },
  { name: "wraps the errors of hosts", breaks: FAILED, create: adds.wrappingErrors },
  { name: "sends a statement again that has failed", breaks: FAILED, create: adds.sendingFailuresAgain },
  { name: "sends a statement again after a deadlock", breaks: FAILED, create: adds.sendingConflictsAgain },
  {
    name: "lets a transaction wait for another one that adds the same call",
    breaks: "no transaction waits for another one, also if both add the same call",
    create: outboxes.waitingForEqualCalls,
  },
  {
    name: "sweeps calls that are as old as what it sweeps",
    breaks: "no sweep removes a call from the outbox, whatever its instants are",
    create: outboxes.sweepingCalls,
  },
  {
    name: "keeps its outbox in memory",
    breaks: "calls outlive a crash, and those that were removed stay so",
    create: outboxes.keepingCallsInMemory,
  },
  {
    name: "begins a page of calls with the last of the page before",
    breaks: PAGES,
    create: outboxes.beginningWithTheLast,
  },
  {
    name: "starts over behind a call that another process has read",
    breaks: ONE_FOR_ALL,
    create: outboxes.startingOverBehindPagesOfOthers,
  },
  { name: "tells short pages of calls", breaks: PAGES, create: outboxes.tellingShortPages },
  {
    name: "takes a limit of no calls for no limit",
    breaks: "a limit of none takes nothing: no entry is read, and none is counted",
    create: outboxes.takingNoneForAll,
  },
  { name: "starts over behind a call that is gone", breaks: BEHIND, create: outboxes.startingOverBehindTheGone },
  { name: "ends a walk behind a call that is gone", breaks: BEHIND, create: outboxes.endingBehindTheGone },
  {
    name: "goes on behind the highest call that it has read",
    breaks: "a call that appears later, at whichever place, is in a later walk",
    create: outboxes.followingTheHighest,
  },
  { name: "leaves out a hundred sources", breaks: LEFT_OUT, create: outboxes.leavingOutAHundred },
  { name: "takes no source to leave out for all", breaks: LEFT_OUT, create: outboxes.takingNoSourceForAll },
  { name: "leaves sources out of pages that it has cut", breaks: LEFT_OUT, create: outboxes.leavingOutOfPages },
  { name: "counts calls beyond the limit", breaks: COUNTED, create: outboxes.countingBeyondLimits },
  { name: "counts the calls of all sources", breaks: COUNTED, create: outboxes.countingAllCalls },
  { name: "takes a source for empty that was once", breaks: COUNTED, create: outboxes.rememberingEmptySources },
  { name: "remembers counts of calls by process", breaks: NOW, create: outboxes.rememberingCounts },
  { name: "removes the calls up to one that it removes", breaks: REMOVED, create: outboxes.removingUpToTheLast },
  { name: "sorts the ids that it is given", breaks: REMOVED, create: outboxes.sortingIds },
  { name: "removes no call if one is gone", breaks: REMOVED, create: outboxes.refusingTheGone },
  {
    name: "numbers calls on from those that are there",
    breaks: "the id of an entry is never used again, also after it was removed and after a crash",
    create: outboxes.numberingFromWhatIsThere,
  },
  {
    name: "takes an outbox that it cannot read for an empty one",
    breaks: "a read of an outbox that fails rejects: it never answers as if no call were there",
    create: outboxes.readingNoCalls,
  },
  {
    name: "removes calls one by one",
    breaks:
      "entries whose removal fails as `busy` are all there, and are gone when it is repeated, as after a lost answer",
    create: outboxes.removingOneByOne,
  },
  {
    name: "locks calls in the order in which they come",
    breaks: "the same entries are removed by two calls in crossing order, and both are answered, between two processes",
    create: outboxes.lockingEntries,
  },
  { name: "reads a thousand calls at most", breaks: MANY, create: small.readingAThousand },
  { name: "looks at a thousand calls for a page", breaks: MANY, create: small.lookingAtAThousand },
  { name: "refuses a statement for very many sources", breaks: MANY, create: small.refusingManySources },
  { name: "removes a thousand calls at most", breaks: MANY, create: small.removingAThousand },
  { name: "counts a thousand calls at most", breaks: MANY, create: small.countingAThousand },
  {
    name: "ends a page of calls at a megabyte",
    breaks: "a page of very large calls is as full as another",
    create: small.endingPagesAtAMegabyte,
  },
];

const OUTBOX_LOSSES: Broken = [
  { name: "sends a statement again that has changed no row", breaks: ANSWERED, create: adds.sendingAgainWithoutRows },
  { name: "sends a statement again that is slow", breaks: ANSWERED, create: adds.sendingTheSlowAgain },
  {
    name: "sends a statement again whose error speaks of a timeout",
    breaks: FAILED,
    create: adds.sendingTimeoutsAgain,
  },
  { name: "takes what a statement answers for its error", breaks: ANSWERED, create: adds.rejectingErrorsInResults },
  {
    name: "lets a call wait for the statement of an equal one",
    breaks: HELD,
    create: adds.waitingForEqualStatements,
  },
  {
    name: "has a hundred statements under way at most",
    breaks: HELD,
    create: adds.waitingForAPlace,
  },
  { name: "merges equal calls that are added in one turn", breaks: AT_ONCE, create: adds.mergingEqualCallsOfATurn },
  { name: "sends two of the calls that are added in one turn", breaks: AT_ONCE, create: adds.sendingTwoOfATurn },
  { name: "undoes escapes in the texts of calls", breaks: AS_IT_WAS, create: outboxes.undoingEscapes },
  { name: "fills in templates in the texts of calls", breaks: AS_IT_WAS, create: outboxes.fillingTemplates },
  { name: "counts equal calls once", breaks: TWICE, create: losses.countingEqualCallsOnce },
  { name: "takes a call for removed that comes again", breaks: TWICE, create: losses.entombingCalls },
  { name: "removes calls by their texts", breaks: TWICE, create: losses.removingByText },
  { name: "removes a call whose message it stores", breaks: KEPT, create: losses.removingWhatIsStored },
  { name: "removes calls when it brings deliveries forward", breaks: KEPT, create: losses.bringingForwardAndRemoving },
  {
    name: "removes calls when it is asked for messages that it has seen",
    breaks: "no other method removes a call from the outbox, one after the other",
    create: losses.removingWhatIsSeen,
  },
  {
    name: "purges calls of a user",
    breaks: DELETED,
    create: losses.purgingCalls,
  },
  { name: "adds no call of a suppressed user", breaks: DELETED, create: losses.addingNoneOfSuppressed },
  {
    name: "makes room for a commit in its outbox",
    breaks: "a commit that does not fit leaves the outbox as it is",
    create: losses.makingRoom,
  },
  {
    name: "removes calls after thirty days when it is opened",
    breaks: "calls wait in the outbox for as long as no process comes, and are there once one opens the storage",
    create: losses.openingWithoutTheOld,
  },
  { name: "counts the calls of sources by their hashes", breaks: TEXTS, create: losses.countingByHash },
  { name: "takes an outbox for unchanged by its ends", breaks: NOW, create: losses.rememberingByEnds },
  { name: "reads a page of calls ahead", breaks: NOW, create: losses.readingAhead },
  { name: "remembers counts of calls at their limit", breaks: NOW, create: losses.rememberingFullCounts },
  { name: "remembers pages behind a call", breaks: NOW, create: losses.rememberingLaterPages },
  { name: "remembers that no call is left without a source", breaks: NOW, create: losses.rememberingEmptyPages },
];

const REACHES = "a hint of one process reaches the others, with its lanes";
const ARRIVES = "the lanes of a hint arrive as they were, whatever texts they are";
const EMPTY = "a hint without lanes arrives without lanes: it stands for any lane";
const LISTENS = "each listener of a process hears hints until it unlistens, and none afterwards";
const CLOSED = "nothing arrives at a process that has closed its store, also at a listener that comes later";
const CHANGED = "a list that is changed, after it was told or by a listener, arrives at all others as it was told";
const TURN = "one hint reaches each of the other processes, and hints of one turn all arrive";

const HINTS: Broken = [
  { name: "hears only its own hints", breaks: REACHES, create: hints.hearingOnlyItself },
  { name: "tells hints to one process", breaks: REACHES, create: hints.reachingOneProcess },
  { name: "drops hints without lanes", breaks: EMPTY, create: hints.droppingEmptyLists },
  { name: "names a lane that stands for any", breaks: EMPTY, create: hints.namingALaneForAny },
  { name: "passes the lanes of hints through UTF-8", breaks: ARRIVES, create: hints.passingLanesThroughUtf8 },
  { name: "trims the lanes of hints", breaks: ARRIVES, create: hints.trimmingLanes },
  { name: "joins the lanes of hints by commas", breaks: ARRIVES, create: hints.joiningLanes },
  {
    name: "cuts hints at a hundred lanes",
    breaks: "a hint of very many lanes arrives with all of them, or stands for any lane",
    create: hints.cuttingLists,
  },
  { name: "hears hints for ever", breaks: LISTENS, create: hints.hearingForEver },
  { name: "ends all listening of a process with one listener", breaks: LISTENS, create: hints.endingAllListening },
  { name: "has one listener for each process", breaks: LISTENS, create: hints.keepingOneListener },
  {
    name: "hears nothing once a listener has ended",
    breaks: "a listener that comes later hears what is told from then on",
    create: hints.listeningOnce,
  },
  { name: "hears hints after it was closed", breaks: CLOSED, create: hints.hearingAfterClose },
  { name: "listens to hints after it was closed", breaks: CLOSED, create: hints.listeningWhenClosed },
  {
    name: "brings hints that are on their way after it was closed",
    breaks: "a hint that is on its way to a store that closes is not heard once it is closed",
    create: hints.hearingWhatIsOnItsWayToTheClosed,
  },
  {
    name: "chooses the listeners of a hint before the first one hears it",
    breaks: "a hint is not heard by a listener that another one has stopped when it heard the same hint",
    create: hints.choosingListenersOnce,
  },
  { name: "hands out the lists of hints that it was given", breaks: CHANGED, create: hints.handingOutLists },
  { name: "hands out one list of a hint to all listeners of a process", breaks: CHANGED, create: hints.sharingLists },
  {
    name: "rejects a hint that no process hears",
    breaks: "a hint is sent although no process listens",
    create: hints.rejectingUnheard,
  },
  { name: "tells each hint to another process", breaks: TURN, create: hints.takingTurns },
  { name: "tells the last hint of a turn", breaks: TURN, create: hints.tellingTheLastOfATurn },
  { name: "leaves out hints without lanes beside others", breaks: TURN, create: hints.mergingEmptyLists },
  {
    name: "keeps each function once that listens",
    breaks: "a function that listens twice hears hints until it has unlistened twice",
    create: hints.keepingFunctions,
  },
  {
    name: "brings hints that are on their way to listeners that have ended",
    breaks: "a hint that is on its way to a listener that unlistens is not heard by it",
    create: hints.hearingWhatIsOnItsWay,
  },
];

const REPLACES =
  "a listener that replaces itself whenever it hears a hint is called once for each, and never for what it has replaced";

const LISTENERS: Broken = [
  {
    name: "passes over the listener behind one that stops itself",
    breaks: "a listener that stops itself when it hears a hint hears no other one, and those beside it hear the same",
    create: listeners.skippingBehindTheStopped,
  },
  {
    name: "brings a hint to listeners that come when it is heard",
    breaks: REPLACES,
    create: listeners.callingTheNewAtOnce,
  },
  {
    name: "forgets listeners that come when a hint is heard",
    breaks: "a listener that another one adds when it hears a hint hears later ones, and those beside it hear them too",
    create: listeners.forgettingTheAdded,
  },
  {
    name: "hears hints after a listener has closed it",
    breaks:
      "a store that a listener closes when it hears a hint calls none of its listeners any more, and the other ones hear on",
    create: listeners.closingOnlyOutsideHints,
  },
  {
    name: "hears hints after a listener of another store has closed it",
    breaks: "a listener that closes another store when it hears a hint ends the listening of that one, and of no other",
    create: listeners.closingNoOtherWithinHints,
  },
  {
    name: "listens to hints while it closes",
    breaks: "a listener that comes while its store closes hears nothing, nor does it afterwards",
    create: listeners.listeningWhileClosing,
  },
  {
    name: "ends the last listener of all with one that has ended",
    breaks: "a listener that unlistens once its store is closed ends the listening of no other store",
    create: listeners.endingTheLast,
  },
  { name: "hands out one list of a hint to all processes", breaks: CHANGED, create: listeners.sharingListsWithAll },
  {
    name: "hands out the list of a hint to listeners of its teller",
    breaks: CHANGED,
    create: listeners.handingOutOwnLists,
  },
  {
    name: "stops functions once a hint was heard, also those that listen again",
    breaks: "a function that stops listening and listens again when it hears a hint hears later ones",
    create: listeners.stoppingFunctionsAfterwards,
  },
  {
    name: "passes over a list that it was told before",
    breaks: "a list that its caller changes and tells once more arrives as it was changed",
    create: listeners.passingOverTheSameList,
  },
  {
    name: "fills the lists of hints anew",
    breaks: "a list that a listener keeps stays as it arrived, whatever arrives later",
    create: listeners.fillingListsAnew,
  },
  { name: "takes lanes of one hint for one without case", breaks: ARRIVES, create: listeners.deduplicatingWithoutCase },
  { name: "writes the numbers of lanes anew", breaks: ARRIVES, create: listeners.writingNumbersAnew },
  { name: "removes controls from lanes", breaks: ARRIVES, create: listeners.removingControls },
];

const TOLD = "each listener of a store that ends by itself is told once, with the reason in words";
const REJECTS = "from the end on every method rejects as `unavailable`, but for `close`, which resolves";

const ENDS: Broken = [
  { name: "does not tell of its end", breaks: TOLD, create: ends.tellingNoEnd },
  { name: "tells of its end twice", breaks: TOLD, create: ends.tellingTheEndTwice },
  { name: "tells of its end without a reason", breaks: TOLD, create: ends.tellingNoReason },
  { name: "tells the last listener of its end", breaks: TOLD, create: ends.tellingTheLastListener },
  {
    name: "does not tell a later listener of its end",
    breaks: "a listener that comes after the end is told, with the reason in words",
    create: ends.tellingNoLaterListener,
  },
  {
    name: "tells of its end although it was closed",
    breaks: "a store that is closed has not ended by itself: no listener is told, also when what it ran in ends",
    create: ends.tellingTheClosed,
  },
  { name: "answers after its end", breaks: REJECTS, create: ends.answeringOn },
  { name: "is busy after its end", breaks: REJECTS, create: ends.busyAfterTheEnd },
  { name: "cannot be closed after its end", breaks: REJECTS, create: ends.closingOnlyTheLiving },
  {
    name: "leaves the calls open that are under way at its end",
    breaks: "a call that is under way at the end is answered, or rejects as `unavailable`: none waits for ever",
    create: ends.leavingCallsOpen,
  },
  {
    name: "loses all that it has stored at its end",
    breaks: "what was answered before the end is there when the storage is opened again",
    create: ends.losingAllAtTheEnd,
  },
];

const FOR_MODEL: BrokenStore = {
  name: "drops the transactions of hosts that are open when a process opens it",
  breaks: "an outbox answers any commands of hosts and relays, in any order, as a model of it does",
  create: outboxes.droppingOpenTransactions,
  isForModel: true,
  supports: { outbox: true },
};

function supporting(part: "outbox" | "hints" | "onEnd", stores: Broken): readonly BrokenStore[] {
  return stores.map((store) => ({ ...store, skipsModel: true as const, supports: { [part]: true as const } }));
}

export const PORT_STORES: readonly BrokenStore[] = [
  ...supporting("outbox", OUTBOXES),
  ...supporting("outbox", OUTBOX_LOSSES),
  FOR_MODEL,
  ...supporting("hints", HINTS),
  ...supporting("hints", LISTENERS),
  ...supporting("onEnd", ENDS),
];

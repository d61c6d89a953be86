// What a person is at while a destination is set up: the settings that it began with, and what was entered. Both go together: what was
// entered on older settings is never laid over newer ones without a look.

import { destinationIn, hasSource, type Settings } from "../../settings/document.js";
import { type Draft, draftOf, mergeDrafts } from "../../settings/draft.js";

export interface Work {
  readonly base: Settings;
  /** The draft before anything was entered. */
  readonly begun: Draft;
  readonly draft: Draft;
}

/** The same work on the latest settings, and what another person has changed too. */
export function moveWork(
  { begun, draft }: Work,
  latest: Settings,
): { readonly work: Work; readonly both: readonly (keyof Draft)[] } {
  const found = destinationIn(latest.document, draft.id);
  const theirs = found === undefined ? begun : draftOf(found);
  const merged = mergeDrafts(begun, draft, theirs);
  // A source of this id that the other one has made is used as it is: its key stays.
  const isTaken = hasSource(latest.document, draft.source?.id);
  const moved = isTaken ? { ...merged.draft, source: undefined } : merged.draft;
  return { work: { base: latest, begun: theirs, draft: moved }, both: merged.both };
}

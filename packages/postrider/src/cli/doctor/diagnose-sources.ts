// Decides what the settings of a server say to those whose events do not appear: a source that has no destination, and a
// destination that is off or paused. Asks nothing itself.

import { isPlainObject, type JsonObject } from "@postrider/core";
import type { Posted } from "../requests/post-json.js";
import { bad, type Finding, ok, open, textOr, toldBy } from "./finding.js";

/** What the doctor knows of a source. */
export interface ConnectedSource {
  readonly id: string;
  readonly destinations: readonly JsonObject[];
}

/** The answer to `GET /api/sources`; undefined where a server does not give it. */
export function readSources(answer: Posted): readonly ConnectedSource[] | undefined {
  const list = toldBy(answer)?.["sources"];
  if (!Array.isArray(list)) return undefined;
  return list.filter(isPlainObject).map(({ source, destinations }) => ({
    id: textOr(source, "unknown"),
    destinations: Array.isArray(destinations) ? destinations.filter(isPlainObject) : [],
  }));
}

/**
 * Where the calls of these sources go. What keeps every call of all of them from arriving is bad. A source that is spare
 * beside others, or a destination that is off beside one that is on, is as its operator may want it.
 */
export function diagnoseSources(sources: readonly ConnectedSource[]): readonly Finding[] {
  const judge = sources.every(goesNowhere) ? bad : open;
  return sources.flatMap((source) => diagnoseSource(source, judge));
}

type Judge = (text: string) => Finding;

function goesNowhere({ destinations }: ConnectedSource): boolean {
  return destinations.every(({ enabled }) => enabled === false);
}

function diagnoseSource({ id, destinations }: ConnectedSource, judge: Judge): readonly Finding[] {
  if (destinations.length === 0)
    return [judge(`no destination is connected to ${id}: name it in the "sources" of a destination`)];
  const names = destinations.map(({ destination }) => textOr(destination, "unknown"));
  return [
    ok(`${id} is connected to ${names.join(", ")}`),
    ...destinations.flatMap((to) => diagnoseDestination(to, judge)),
  ];
}

function diagnoseDestination({ destination, enabled, paused }: JsonObject, judge: Judge): readonly Finding[] {
  const name = textOr(destination, "unknown");
  if (enabled === false) return [judge(`${name} is off: calls are filtered; set "enabled" to true`)];
  return paused === true ? [open(`${name} is paused: its deliveries wait`)] : [];
}

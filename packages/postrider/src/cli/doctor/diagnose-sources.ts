// Derives findings from the settings of a server: a source without a destination, and a destination that is off or paused.
// Sends no requests.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import type { SendResult } from "../requests/ask-api.js";
import { badFinding, type Finding, okFinding, openFinding, textOr, objectOfAnswer } from "./finding.js";

/** A source and its destinations, as the API shows them. */
export interface ConnectedSource {
  readonly id: string;
  readonly destinations: readonly JsonObject[];
}

/** Reads the answer to `GET /api/sources`; undefined if it has no sources. */
export function readSources(answer: SendResult): readonly ConnectedSource[] | undefined {
  const list = objectOfAnswer(answer)?.["sources"];
  if (!Array.isArray(list)) return undefined;
  return list.filter(isPlainObject).map(({ source, destinations }) => ({
    id: textOr(source, "unknown"),
    destinations: Array.isArray(destinations) ? destinations.filter(isPlainObject) : [],
  }));
}

/**
 * Finds where the calls of these sources go. Findings are bad if no call of any of these sources can be delivered. If
 * only some sources have no destination, or only some destinations are off, findings are open, since the operator may
 * intend it.
 */
export function diagnoseSources(sources: readonly ConnectedSource[]): readonly Finding[] {
  const judge = sources.every(goesNowhere) ? badFinding : openFinding;
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
    okFinding(`${id} is connected to ${names.join(", ")}`),
    ...destinations.flatMap((destination) => diagnoseDestination(destination, judge)),
  ];
}

function diagnoseDestination({ destination, enabled, paused }: JsonObject, judge: Judge): readonly Finding[] {
  const name = textOr(destination, "unknown");
  if (enabled === false)
    return [judge(`${name} is off: new calls are filtered, and what waits stays; set "enabled" to true`)];
  return paused === true ? [openFinding(`${name} is paused: its deliveries wait`)] : [];
}

// Tells, after a command has found nothing, which of the sources and destinations that the operator named are not in the
// settings of the server, and which were probably meant.

import { nearestKey } from "@postrider/relay/settings";
import { readSources } from "../doctor/diagnose-sources.js";
import { textOr } from "../doctor/finding.js";
import type { Host } from "../host.js";
import { type ApiAccess, askApi } from "./ask-api.js";

/** The names that the operator gave. */
export interface GivenNames {
  readonly sources?: readonly string[];
  readonly destinations?: readonly string[];
}

/** The most names that are listed if none is near. */
const MAX_LISTED = 10;

/** Writes a line for each unknown name to standard error; none if the server does not answer. */
export async function tellUnknownNames(
  host: Pick<Host, "err" | "clock">,
  access: ApiAccess,
  { sources = [], destinations = [] }: GivenNames,
): Promise<void> {
  if (sources.length + destinations.length === 0) return;
  const serverSources = readSources(await askApi(host, access, { method: "GET", path: "/api/sources" }));
  if (serverSources === undefined) return;
  const ofSources = serverSources.map(({ id }) => id);
  const connected = serverSources.flatMap((source) =>
    source.destinations.map(({ destination }) => textOr(destination, "")),
  );
  const lines = [
    ...unknownIn(sources, ofSources, "there is no source"),
    ...unknownIn(destinations, [...new Set(connected)], "no source is connected to a destination"),
  ];
  for (const line of lines) host.err(line);
}

function unknownIn(given: readonly string[], known: readonly string[], claim: string): readonly string[] {
  return given.filter((name) => !known.includes(name)).map((name) => `${claim} ${name}${hintOf(name, known)}`);
}

function hintOf(name: string, known: readonly string[]): string {
  const nearest = nearestKey(name, known);
  if (nearest !== undefined) return `; did you mean ${nearest}?`;
  const listed = [...known.slice(0, MAX_LISTED), ...(known.length > MAX_LISTED ? ["…"] : [])];
  return known.length === 0 ? "" : `; there ${known.length === 1 ? "is" : "are"} ${listed.join(", ")}`;
}

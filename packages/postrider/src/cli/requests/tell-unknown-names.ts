// Tells, after a command has found nothing, which of the sources and destinations that the operator named are not in the
// settings of the server, and which were probably meant.

import { nearestKey } from "@postrider/relay/settings";
import { readSources } from "../doctor/diagnose-sources.js";
import { textOr } from "../doctor/finding.js";
import type { Host } from "../host.js";
import { type ApiAccess, askApi } from "./ask-api.js";

/** The names that the operator gave. */
export interface OperatorNames {
  readonly sources?: readonly string[];
  readonly destinations?: readonly string[];
}

/** The most names that are listed if none is near. */
const MAX_LISTED = 10;

/** Writes a line for each unknown name to standard error; none if the server does not answer. */
export async function tellUnknownNames(
  host: Pick<Host, "err" | "clock">,
  access: ApiAccess,
  { sources = [], destinations = [] }: OperatorNames,
): Promise<void> {
  if (sources.length + destinations.length === 0) return;
  const serverSources = readSources(await askApi(host, access, { method: "GET", path: "/api/sources" }));
  if (serverSources === undefined) return;
  const sourceIds = serverSources.map(({ id }) => id);
  const connectedDestinations = serverSources.flatMap((source) =>
    source.destinations.map(({ destination }) => textOr(destination, "")),
  );
  const lines = [
    ...unknownIn(sources, sourceIds, "there is no source"),
    ...unknownIn(destinations, [...new Set(connectedDestinations)], "no source is connected to a destination"),
  ];
  for (const line of lines) host.err(line);
}

function unknownIn(names: readonly string[], serverNames: readonly string[], claim: string): readonly string[] {
  return names
    .filter((name) => !serverNames.includes(name))
    .map((name) => `${claim} ${name}${hintOf(name, serverNames)}`);
}

function hintOf(name: string, serverNames: readonly string[]): string {
  const nearest = nearestKey(name, serverNames);
  if (nearest !== undefined) return `; did you mean ${nearest}?`;
  const shownNames = [...serverNames.slice(0, MAX_LISTED), ...(serverNames.length > MAX_LISTED ? ["…"] : [])];
  return serverNames.length === 0 ? "" : `; there ${serverNames.length === 1 ? "is" : "are"} ${shownNames.join(", ")}`;
}

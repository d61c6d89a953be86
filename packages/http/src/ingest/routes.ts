// Maps paths to routes: each call and its short form, the batch and its other names, and the settings that browser libraries load first.
// Each route has one method.

import type { CallKind } from "@postrider/core";
import { normalizePath } from "../index.js";

export type IngestRoute =
  | { readonly kind: "call"; readonly call: CallKind }
  /** A beacon is a batch with its key in the query. */
  | { readonly kind: "batch"; readonly isBeacon?: true }
  | { readonly kind: "settings"; readonly writeKey: string };

/** A route of calls. */
export type PostRoute = Exclude<IngestRoute, { kind: "settings" }>;

const BATCH: IngestRoute = { kind: "batch" };
const BEACON_PATH = "/beacon/v1/batch";

/** The names of each call and of the batch, in full and short. The compiler asks for each kind, and refuses a name that is there twice. */
const NAMES = {
  identify: "identify",
  i: "identify",
  track: "track",
  t: "track",
  page: "page",
  p: "page",
  screen: "screen",
  s: "screen",
  group: "group",
  g: "group",
  alias: "alias",
  a: "alias",
  batch: "batch",
  import: "batch",
  b: "batch",
} as const satisfies { readonly [Kind in CallKind]: Kind } & Readonly<Record<string, CallKind | "batch">>;

const ROUTES: ReadonlyMap<string, IngestRoute> = new Map<string, IngestRoute>([
  ...Object.entries(NAMES).map(([name, call]): [string, IngestRoute] => [
    `/v1/${name}`,
    call === "batch" ? BATCH : { kind: "call", call },
  ]),
  [BEACON_PATH, { kind: "batch", isBeacon: true }],
]);

const SETTINGS_PATH = /^\/v1\/projects\/([^/]+)\/settings$/;

/** The route of a path; undefined if it has none. */
export function routeOf(requestPath: string): IngestRoute | undefined {
  const path = normalizePath(requestPath);
  const route = ROUTES.get(path);
  if (route !== undefined) return route;
  const escapedKey = SETTINGS_PATH.exec(path)?.[1];
  const writeKey = escapedKey === undefined ? undefined : unescapeText(escapedKey);
  return writeKey === undefined ? undefined : { kind: "settings", writeKey };
}

/** The path of a route as events name it: one for all its names, with `*` for a key; `*` alone for a path that has no route. */
export function pathNameOf(route: IngestRoute | undefined): string {
  switch (route?.kind) {
    case "call":
      return `/v1/${route.call}`;
    case "batch":
      return route.isBeacon === true ? BEACON_PATH : "/v1/batch";
    case "settings":
      return "/v1/projects/*/settings";
    case undefined:
      return "*";
  }
}

/** The one method of a route, besides OPTIONS. */
export function methodOf(route: IngestRoute): "GET" | "POST" {
  return route.kind === "settings" ? "GET" : "POST";
}

function unescapeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

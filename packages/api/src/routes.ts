// Which method and path of the API mean what.

import type { DeletionId, DeliveryId } from "@postrider/core";
import type { RequestHead } from "@postrider/http";

export type ApiRoute =
  | { readonly kind: "stats" }
  | { readonly kind: "list-sources" }
  | { readonly kind: "list-seen" }
  | { readonly kind: "list-deliveries" }
  | { readonly kind: "show-delivery"; readonly id: DeliveryId }
  | { readonly kind: "replay-one"; readonly id: DeliveryId }
  | { readonly kind: "replay-many" }
  | { readonly kind: "request-deletion" }
  | { readonly kind: "list-deletions" }
  | { readonly kind: "show-deletion"; readonly id: DeletionId }
  | { readonly kind: "list-suppressed" }
  | { readonly kind: "create-audience" }
  | { readonly kind: "list-audiences" }
  | { readonly kind: "show-audience"; readonly key: string }
  | { readonly kind: "set-destinations"; readonly key: string }
  | { readonly kind: "sync-audience"; readonly key: string };

export type FoundRoute =
  | { readonly kind: "found"; readonly route: ApiRoute }
  /** The path means something, by another method. */
  | { readonly kind: "wrong-method"; readonly allowed: readonly Method[] }
  | { readonly kind: "nothing" };

type Method = "GET" | "POST";

interface Place {
  readonly method: Method;
  readonly path: RegExp;
  /** `name` is what stands in the place of the star. */
  readonly route: (name: string) => ApiRoute;
}

/** What all paths begin with. */
const ROOT = "/api/";

const PLACES: readonly Place[] = [
  placeOf("GET", "/api/stats", () => ({ kind: "stats" })),
  placeOf("GET", "/api/sources", () => ({ kind: "list-sources" })),
  placeOf("GET", "/api/seen", () => ({ kind: "list-seen" })),
  placeOf("GET", "/api/deliveries", () => ({ kind: "list-deliveries" })),
  placeOf("GET", "/api/deliveries/*", (id) => ({ kind: "show-delivery", id: id as DeliveryId })),
  placeOf("POST", "/api/deliveries/*/replay", (id) => ({ kind: "replay-one", id: id as DeliveryId })),
  placeOf("POST", "/api/replay", () => ({ kind: "replay-many" })),
  placeOf("POST", "/api/deletions", () => ({ kind: "request-deletion" })),
  placeOf("GET", "/api/deletions", () => ({ kind: "list-deletions" })),
  placeOf("GET", "/api/deletions/*", (id) => ({ kind: "show-deletion", id: id as DeletionId })),
  placeOf("GET", "/api/suppressed", () => ({ kind: "list-suppressed" })),
  placeOf("POST", "/api/audiences", () => ({ kind: "create-audience" })),
  placeOf("GET", "/api/audiences", () => ({ kind: "list-audiences" })),
  placeOf("GET", "/api/audiences/*", (key) => ({ kind: "show-audience", key })),
  placeOf("POST", "/api/audiences/*/destinations", (key) => ({ kind: "set-destinations", key })),
  placeOf("POST", "/api/audiences/*/sync", (key) => ({ kind: "sync-audience", key })),
];

/** What a request asks for. */
export function findRoute({ method, path }: RequestHead): FoundRoute {
  // Asked of every request that comes in, and nearly all of those are calls.
  if (!path.startsWith(ROOT)) return { kind: "nothing" };
  const places = PLACES.flatMap((place) => {
    const name = nameIn(path, place.path);
    return name === undefined ? [] : [{ ...place, name }];
  });
  const asked = places.find((place) => place.method === method);
  if (asked !== undefined) return { kind: "found", route: asked.route(asked.name) };
  return places.length === 0
    ? { kind: "nothing" }
    : { kind: "wrong-method", allowed: places.map((place) => place.method) };
}

/** Whether a request brings a body of any length: a list of members. For `isStreamed` of a listener. */
export function isUpload(head: RequestHead): boolean {
  const found = findRoute(head);
  return found.kind === "found" && found.route.kind === "sync-audience";
}

function placeOf(method: Method, pattern: string, route: Place["route"]): Place {
  return { method, path: new RegExp(`^${pattern.replace("*", "([^/]+)")}$`), route };
}

/** What stands in the place of the star, '' where there is none; undefined if the path is another one. */
function nameIn(path: string, pattern: RegExp): string | undefined {
  const found = pattern.exec(path);
  return found === null ? undefined : unescapeName(found[1] ?? "");
}

function unescapeName(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

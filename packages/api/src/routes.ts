// Which path of the API means what.

import type { DeliveryId } from "@postrider/core";

export type ApiRoute =
  | { readonly kind: "stats" }
  | { readonly kind: "list-deliveries" }
  | { readonly kind: "show-delivery"; readonly id: DeliveryId }
  | { readonly kind: "replay-one"; readonly id: DeliveryId }
  | { readonly kind: "replay-many" };

const FIXED: ReadonlyMap<string, ApiRoute> = new Map<string, ApiRoute>([
  ["/api/stats", { kind: "stats" }],
  ["/api/deliveries", { kind: "list-deliveries" }],
  ["/api/replay", { kind: "replay-many" }],
]);

const DELIVERY_PATH = /^\/api\/deliveries\/([^/]+)(\/replay)?$/;

/** What a path means; undefined where it means nothing. */
export function routeOf(path: string): ApiRoute | undefined {
  const fixed = FIXED.get(path);
  if (fixed !== undefined) return fixed;
  const [, written, replay] = DELIVERY_PATH.exec(path) ?? [];
  const id = written === undefined ? undefined : unescapeId(written);
  return id === undefined ? undefined : { kind: replay === undefined ? "show-delivery" : "replay-one", id };
}

/** The one method that a route answers. */
export function methodOf(route: ApiRoute): "GET" | "POST" {
  return route.kind === "replay-one" || route.kind === "replay-many" ? "POST" : "GET";
}

function unescapeId(text: string): DeliveryId | undefined {
  try {
    return decodeURIComponent(text) as DeliveryId;
  } catch {
    return undefined;
  }
}

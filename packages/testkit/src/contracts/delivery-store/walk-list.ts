// Reads lists, by page and to their end. A page may be short, or empty, although there is a next one (see `DeliveryPage`), so
// a case that wants all deliveries of a query does not look at one page alone.

import type { DeliveryId, DeliveryPage, DeliverySummary, ListQuery } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectThat } from "../check.js";
import type { Scene } from "./scene.js";

/** One page of a query; of this scene's source, unless another is named. */
export function list(scene: Scene, query: Partial<ListQuery>): Promise<DeliveryPage> {
  return scene.store().list({ source: scene.source, limit: 50, ...query });
}

/** Where the next page begins. */
export function after({ next }: DeliveryPage): { readonly after?: string } {
  expectThat(next !== undefined, "a page that does not show all names no next one");
  return { after: next };
}

export function idsOf(deliveries: readonly { readonly id: DeliveryId }[]): readonly DeliveryId[] {
  return deliveries.map(({ id }) => id);
}

/** More pages than the data of all cases fills, at 1,000 deliveries that a store looks at for each. */
const MAX_PAGES = 10_000;

/** All deliveries of a query, newest first; of this scene's source, unless another is named. */
export async function listAll(
  scene: Pick<Scene, "source" | "store">,
  query: Partial<ListQuery> = {},
): Promise<readonly DeliverySummary[]> {
  const all: DeliverySummary[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { deliveries, next } = await scene
      .store()
      .list({ source: scene.source, limit: 100, ...query, ...defined({ after }) });
    all.push(...deliveries);
    if (next === undefined) return all;
    after = next;
  }
  throw new Error(`a list has no end after ${String(MAX_PAGES)} pages`);
}

// Reads lists by page and to their end: a page may be short, or empty, although there is a next one (see
// `DeliveryPage`). The cases test that a page is short only after 1,000 deliveries were looked at.

import type { DeliveryId, DeliveryPage, DeliverySummary, ListQuery } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectThat, expectEqual } from "../check.js";
import type { Scene, StoreCase } from "./scene.js";
import { laneFullDelivery } from "./samples.js";

/** One page of a query; of this scene's source, unless another is named. */
export function list(scene: Scene, query: Partial<ListQuery>): Promise<DeliveryPage> {
  return scene.store().list({ source: scene.source, limit: 50, ...query });
}

/** The start of the next page. */
export function afterPage({ next }: DeliveryPage): { readonly after?: string } {
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
  const allDeliveries: DeliverySummary[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { deliveries, next } = await scene
      .store()
      .list({ source: scene.source, limit: 100, ...query, ...defined({ after }) });
    allDeliveries.push(...deliveries);
    if (next === undefined) return allDeliveries;
    after = next;
  }
  throw new Error(`a list has no end after ${String(MAX_PAGES)} pages`);
}

/** The number of deliveries that a store examines for a page (see `DeliveryPage`). */
const LOOKED_AT = 1_000;

export const SHORT_PAGE_CASES: readonly StoreCase[] = [
  {
    name: "a page is full if no more than 1,000 deliveries have to be looked at for it",
    async play(scene) {
      const [deadId] = await scene.accept({ deliveries: [laneFullDelivery(scene.lane)] });
      await acceptWaiting(scene, LOOKED_AT - 1);
      const { deliveries } = await scene.store().list({ source: scene.source, states: ["dead"], limit: 1 });
      expectEqual(
        deliveries.map(({ id }) => id),
        [deadId],
        "the first page of those that are dead",
      );
    },
  },
  {
    name: "a list comes to what matches, behind any number of deliveries that do not",
    async play(scene) {
      const user = `${scene.source}-user`;
      const [first] = await scene.accept({
        messageId: "one",
        type: "page",
        userIds: [user],
        deliveries: [laneFullDelivery(scene.lane)],
      });
      await acceptWaiting(scene, 2 * LOOKED_AT + 1);
      const [last] = await scene.accept({
        messageId: "two",
        type: "page",
        userIds: [user],
        deliveries: [laneFullDelivery(scene.lane)],
      });
      const queries = [
        { states: ["dead"] },
        { reason: "lane-full" },
        { type: "page" },
        { userId: user },
        { destination: scene.lane },
        { notReplayed: true, states: ["dead"] },
      ] as const;
      for (const query of queries) {
        const ids = (await listAll(scene, query)).map(({ id }) => id);
        expectEqual(ids, [last, first], `all pages of ${JSON.stringify(query)}`);
      }
      const ids = (await listAll(scene, { messageId: "one" })).map(({ id }) => id);
      expectEqual(ids, [first], "all pages of a message id");
    },
  },
];

/** Deliveries of another lane that wait. */
async function acceptWaiting(scene: Scene, count: number): Promise<void> {
  const deliveries = [{ destination: scene.otherLane, start: { kind: "waiting", dueAt: scene.now() } } as const];
  await scene.commit({ accept: Array.from({ length: count }, () => scene.message({ deliveries })) });
}

// Cases of `list`: it shows deliveries newest first, in pages, and by query only those that match.

import type { DeliveryId, DeliveryPage, ListQuery } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";
import { afterPage, idsOf, list, listAll } from "./pages.js";
import { expectEachItself, lookAlikes } from "../look-alikes.js";
import { deletionScene } from "./users.js";

export const LISTING_CASES: readonly StoreCase[] = [
  {
    name: "a list shows the newest first, each as a look-up shows it",
    async play(scene) {
      const ids = [await scene.acceptOne(), await scene.finish(DEAD), await scene.finish(DELIVERED)];
      const deliveries = await listAll(scene);
      expectEqual(idsOf(deliveries), ids.toReversed(), "the deliveries listed");
      for (const summary of deliveries) {
        const leftOut = { body: undefined, attempts: undefined, endpoints: undefined };
        expectEqual(summary, { ...(await scene.record(summary.id)), ...leftOut }, "a delivery as listed");
      }
    },
  },
  {
    name: "pages show each delivery once, up to the last",
    async play(scene) {
      const ids: DeliveryId[] = [];
      for (let message = 0; message < 7; message += 1) ids.push(await scene.acceptOne());
      const pages = await readPages(scene, 3);
      expectThat(
        pages.every((page) => page.deliveries.length <= 3),
        "a page shows more than its limit",
      );
      expectEqual(
        pages.flatMap((page) => idsOf(page.deliveries)),
        ids.toReversed(),
        "all pages together",
      );
    },
  },
  {
    name: "a page continues where the one before ended, with any deliveries stored meanwhile",
    async play(scene) {
      const ids: DeliveryId[] = [];
      for (let message = 0; message < 4; message += 1) ids.push(await scene.acceptOne());
      const firstPage = await list(scene, { limit: 2 });
      await scene.acceptOne();
      await scene.finish(DELIVERED);
      const secondPage = await list(scene, { limit: 2, ...afterPage(firstPage) });
      expectEqual([...idsOf(firstPage.deliveries), ...idsOf(secondPage.deliveries)], ids.toReversed(), "both pages");
    },
  },
  {
    name: "a page continues where the one before ended, even if its last delivery is gone",
    async play(scene) {
      const remainingId = await scene.acceptOne();
      await scene.finish(DELIVERED);
      const firstPage = await list(scene, { limit: 1 });
      await scene.advance(2);
      await scene.store().sweep({ deliveredBefore: scene.now(), deadBefore: scene.now(), limit: 1_000 }, scene.now());
      const secondPage = await list(scene, { limit: 5, ...afterPage(firstPage) });
      expectEqual(idsOf(secondPage.deliveries), [remainingId], "the second page");
    },
  },
  {
    name: "a cursor that no page gave finds nothing",
    async play(scene) {
      const id = await scene.acceptOne();
      for (const cursor of ["", "nonsense", id, "99999999999", "-1", "'; --", "\u0000"]) {
        const page = await list(scene, { after: `made-up ${cursor}` });
        expectEqual(page, { deliveries: [] }, "the page behind a cursor made up");
      }
    },
  },
];

/** More pages than any case has. A list with more pages has no end. */
const MAX_PAGES = 20;

async function readPages(scene: Scene, limit: number): Promise<readonly DeliveryPage[]> {
  const pages = [await list(scene, { limit })];
  for (let page = pages.at(-1); page?.next !== undefined && pages.length < MAX_PAGES; page = pages.at(-1)) {
    pages.push(await list(scene, { limit, after: page.next }));
  }
  return pages;
}

export const MATCHING_CASES: readonly StoreCase[] = [
  {
    name: "a list shows only what matches: state, reason, destination, type, message id",
    async play(scene) {
      const { otherLane } = scene;
      const waitingId = await scene.acceptOne({ type: "page", deliveries: [waitingDelivery(otherLane, scene.now())] });
      const deliveredId = await scene.finish(DELIVERED, { messageId: "asked" });
      const refusedId = await scene.finish(DEAD);
      const expiredId = await scene.finish({ kind: "dead", reason: "expired" }, { type: "page" });
      const questions: readonly (readonly [Partial<ListQuery>, readonly DeliveryId[]])[] = [
        [{ states: ["waiting"] }, [waitingId]],
        [{ states: ["dead"] }, [expiredId, refusedId]],
        [{ states: ["claimed"] }, []],
        [{ reason: "expired" }, [expiredId]],
        [{ destination: otherLane }, [waitingId]],
        [{ type: "page" }, [expiredId, waitingId]],
        [{ messageId: "asked" }, [deliveredId]],
        [{ states: ["dead"], reason: "refused", type: "track" }, [refusedId]],
        [{ states: ["delivered"], type: "page" }, []],
      ];
      for (const [query, expected] of questions) {
        expectEqual(idsOf((await list(scene, query)).deliveries), expected, `the list for ${JSON.stringify(query)}`);
      }
    },
  },
  {
    name: "a list shows what has one of several states, or one of several details, and nothing for none of them",
    async play(scene) {
      const waitingId = await scene.acceptOne();
      const deliveredId = await scene.finish(DELIVERED);
      const refusedId = await scene.finish({ kind: "dead", reason: "refused", detail: "422" });
      const lateId = await scene.finish({ kind: "dead", reason: "expired", detail: "timeout" });
      const questions: readonly (readonly [Partial<ListQuery>, readonly DeliveryId[]])[] = [
        [{ states: ["delivered", "dead"] }, [lateId, refusedId, deliveredId]],
        [{ states: ["dead", "waiting", "dead"] }, [lateId, refusedId, waitingId]],
        [{ states: [] }, []],
        [{ details: ["422", "timeout"] }, [lateId, refusedId]],
        [{ details: ["42", "4222", "TIMEOUT", ""] }, []],
        [{ details: [] }, []],
        [{ states: ["dead"], details: ["timeout", "422"], reason: "refused" }, [refusedId]],
        [{ states: ["waiting"], reason: "expired" }, []],
        [{ destination: scene.lane, states: ["waiting", "dead"], details: ["422"] }, [refusedId]],
      ];
      for (const [query, expected] of questions) {
        expectEqual(idsOf((await list(scene, query)).deliveries), expected, `the list for ${JSON.stringify(query)}`);
      }
    },
  },
  {
    name: "a list by user shows the deliveries of the messages that have this user among theirs",
    async play(scene) {
      const user = (name: string): string => `${scene.source}-${name}`;
      const [first] = await scene.accept({ userIds: [user("ann")] });
      const [alias] = await scene.accept({ userIds: [user("bob"), user("ann")] });
      const deliveredId = await scene.finish(DELIVERED, { userIds: [user("ann")] });
      await scene.accept({ userIds: [user("Ann")] });
      await scene.accept();
      expectEqual(idsOf(await listAll(scene, { userId: user("ann") })), [deliveredId, alias, first], "the first user");
      expectEqual(idsOf(await listAll(scene, { userId: user("bob") })), [alias], "the second user");
      expectEqual(idsOf(await listAll(scene, { userId: user("an") })), [], "the beginning of an id");
      const waitingQuery = { userId: user("ann"), states: ["waiting"], destination: scene.lane } as const;
      expectEqual(idsOf(await listAll(scene, waitingQuery)), [alias, first], "her deliveries that wait");
    },
  },
  {
    name: "a list by user is distinct for all users that look alike",
    async play(scene) {
      const users = lookAlikes().map((text) => `${scene.source}${text}`);
      for (const userId of users) await scene.accept({ messageId: userId, userIds: [userId] });
      const foundIds = new Map<string, readonly string[]>();
      for (const userId of users)
        foundIds.set(
          userId,
          (await listAll(scene, { userId })).map(({ messageId }) => messageId),
        );
      expectEachItself(foundIds, "what a list by user shows");
    },
  },
  {
    name: "a list by user shows nothing of messages that were purged",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, purge } = deletionScene(scene);
      const [bobsId] = await scene.accept({ userIds: [user("bob")] });
      await scene.accept({ userIds: [user("ann")] });
      await open({ userIds: [user("ann")] });
      await purge();
      expectEqual(await listAll(scene, { userId: user("ann") }), [], "the deliveries of a user who is purged");
      expectEqual(idsOf(await listAll(scene, { userId: user("bob") })), [bobsId], "the deliveries of another");
    },
  },
  {
    name: "a list by source shows only that source",
    async play(scene) {
      const { source, otherSource } = scene;
      const [sourceId, otherSourceId] = [await scene.acceptOne(), await scene.acceptOne({ source: otherSource })];
      expectEqual(idsOf((await list(scene, { source })).deliveries), [sourceId], "the one source");
      expectEqual(idsOf((await list(scene, { source: otherSource })).deliveries), [otherSourceId], "the other");
    },
  },
  {
    name: "a list by time shows what was accepted from one instant up to, not including, another",
    async play(scene) {
      const ids: DeliveryId[] = [];
      for (const ago of [-30, -20, -10]) ids.push(await scene.acceptOne({ receivedAt: scene.later(ago) }));
      const [, middle] = ids;
      const between = { acceptedSince: scene.later(-20), acceptedBefore: scene.later(-10) };
      expectEqual(idsOf((await list(scene, between)).deliveries), [middle], "what was accepted in between");
      expectEqual(
        idsOf((await list(scene, { acceptedBefore: scene.later(-30) })).deliveries),
        [],
        "what was accepted before all",
      );
    },
  },
  {
    name: "pages of a filtered list are full as long as there is more",
    async play(scene) {
      const deadIds: DeliveryId[] = [];
      for (let message = 0; message < 3; message += 1) {
        deadIds.push(await scene.finish(DEAD));
        await scene.acceptOne();
      }
      const firstPage = await list(scene, { states: ["dead"], limit: 2 });
      const secondPage = await list(scene, { states: ["dead"], limit: 2, ...afterPage(firstPage) });
      expectEqual([firstPage.deliveries.length, secondPage.deliveries.length], [2, 1], "the sizes of the pages");
      expectEqual(
        [...idsOf(firstPage.deliveries), ...idsOf(secondPage.deliveries)],
        deadIds.toReversed(),
        "both pages",
      );
    },
  },
];

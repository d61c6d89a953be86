// Ids of deletion requests, of deliveries and of cursors that look alike.

import { type DeletionId, deletionId, deliveryId } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { expectEachItself, lookAlikes, showText } from "../look-alikes.js";
import { deletionScene } from "./deletion-scene.js";
import { attempt, DELIVERED } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";
import { NONE } from "./look-alike-rest.js";

export const LOOK_ALIKE_REQUEST_CASES: readonly StoreCase[] = [
  {
    name: "a deletion request is distinct from all that look alike: its users, its place in the list, its notices",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, user } = deletionScene(scene);
      // Names are used once: what looks alike stands once before what is particular to this run, and once behind it.
      const ids = lookAlikes().flatMap((text) => [deletionId(`${text}${deletion("")}`), deletion(text)]);
      const regulation = "unsuppress";
      for (const [index, id] of ids.entries())
        await deletions().open({ id, regulation, userIds: [user(String(index))], sources: null }, scene.now());
      const found = new Map<string, readonly string[]>();
      for (const id of ids) {
        const { userIds = [] } = (await deletions().find(id)) ?? {};
        found.set(
          id,
          userIds.map((userId) => ids[Number(userId.slice(user("").length))] ?? userId),
        );
      }
      expectEachItself(found, "a deletion request");
      expectEqual(await listBehind(scene, ids.length), ids.toReversed(), "the list of requests, newest first");

      const accept = ids.map((id, index) => scene.message({ type: "delete", deletion: id, messageId: String(index) }));
      await scene.commit({ accept });
      for (const id of ids) {
        const { notices = [] } = (await deletions().find(id)) ?? {};
        expectEqual(
          notices,
          [{ source: scene.source, stored: 1, delivered: 0, dead: 0 }],
          `the notices of ${showText(id)}`,
        );
      }
    },
  },
  {
    name: "the id of a delivery is found, replayed and settled as it is, and not as what looks alike",
    async play(scene) {
      const id = await scene.finish(DELIVERED);
      const late = attempt(scene.now(), { round: 9 });
      for (const other of disguisesOf(id).map((text) => deliveryId(text))) {
        const what = `what looks like the delivery ${showText(id)}: ${showText(other)}`;
        expectThat((await scene.store().find(other)) === undefined, `${what} is found`);
        const { replayed, appended, settled } = await scene.commit({
          replay: [{ of: other, start: { kind: "waiting", dueAt: scene.now() } }],
          append: [{ id: other, attempt: late }],
          settle: [{ id: other, token: scene.commitToken(), outcome: DELIVERED, ...NONE }],
        });
        expectEqual([replayed[0], appended[0], settled[0]], [undefined, "gone", "stale"], what);
      }
    },
  },
  {
    name: "what looks like a cursor finds nothing",
    async play(scene) {
      for (let count = 0; count < 3; count += 1) await scene.accept();
      const { source } = scene;
      const { next } = await scene.store().list({ source, limit: 1 });
      const cursor = expectPresent(next, "the cursor of a page that does not show all");
      for (const after of disguisesOf(cursor)) {
        const page = await scene.store().list({ source, after, limit: 5 });
        expectEqual(page, { deliveries: [] }, `the page behind ${showText(after)}, which is not ${showText(cursor)}`);
      }
    },
  },
];

/** What careless code takes for a text that a store has made. None of these can be another text of the same store. */
function disguisesOf(text: string): readonly string[] {
  return [
    ` ${text}`,
    `${text} `,
    `${text}\n`,
    `\t${text}`,
    `+${text}`,
    `${text}.0`,
    `${text}e0`,
    `${text}\u0000`,
    `${text}'`,
    `%${text}`,
    `${text}%`,
  ];
}

/** The newest requests, page by page, each page behind the last request of the one before. */
async function listBehind(scene: Scene, count: number): Promise<readonly DeletionId[]> {
  const { deletions } = deletionScene(scene);
  const ids: DeletionId[] = [];
  for (let after = {}; ids.length < count; after = { after: ids.at(-1) }) {
    const page = await deletions().list({ limit: 7, ...after });
    if (page.deletions.length === 0) return ids;
    ids.push(...page.deletions.map(({ id }) => id));
  }
  return ids.slice(0, count);
}

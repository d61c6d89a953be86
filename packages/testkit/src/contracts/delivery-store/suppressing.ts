// Suppressed users: their messages are not accepted, and leave nothing but a count.

import { defined } from "@postrider/core/engine";
import type { AcceptResult, NewMessage } from "@postrider/core";
import { expectEqual } from "../check.js";
import { type DeletionScene, deletionScene } from "./deletion-scene.js";
import type { Scene, StoreCase } from "./scene.js";

export const SUPPRESSING_CASES: readonly StoreCase[] = [
  {
    name: "nothing of a suppressed user's message is stored, not even its id, and it is counted",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "suppress-only" });
      const message = { userIds: [user("ann")], messageId: "once" };
      expectEqual(await answers(scene, [message, message]), ["suppressed", "suppressed"], "the answers");
      await scene.expectCounts({ suppressed: 2 }, "after it");
      expectEqual((await scene.store().list({ source: scene.source, limit: 5 })).deliveries, [], "what is listed");
      expectEqual(await scene.claimIds(), [], "what is handed out");
      await open({ name: "2", userIds: [user("ann")], regulation: "unsuppress" });
      expectEqual(await answers(scene, [message]), ["stored"], "the answer once the user is no longer suppressed");
    },
  },
  {
    name: "a message is suppressed for any of its users, and for no others",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      const [ann, bob] = [user("ann"), user("bob")];
      await open({ userIds: [ann], regulation: "suppress-with-delete", sources: [scene.otherSource] });
      const about = [[bob, ann], [ann, bob], [bob], []].map((userIds) => ({ userIds }));
      const expected = ["suppressed", "suppressed", "stored", "stored", "stored"];
      expectEqual(await answers(scene, [...about, {}]), expected, "the answers");
      expectEqual(await answers(scene, [{ userIds: [ann.slice(0, -1)] }]), ["stored"], "the answer to a name like it");
      await scene.expectCounts({ accepted: 4, waiting: 4, suppressed: 2 }, "after it");
    },
  },
  {
    name: "messages of a user who is deleted, but not suppressed, are accepted",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")] });
      expectEqual(await answers(scene, [{ userIds: [user("ann")] }]), ["stored"], "the answer");
    },
  },
  {
    name: "a suppressed message is no duplicate, and makes no other message one",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "suppress-only" });
      const hers = { userIds: [user("ann")], messageId: "one" };
      const his = { ...hers, userIds: [user("bob")] };
      expectEqual(await answers(scene, [hers, his, hers]), ["suppressed", "stored", "suppressed"], "the answers");
      expectEqual(await answers(scene, [hers, his]), ["suppressed", "duplicate"], "the answers later");
      await scene.expectCounts({ accepted: 1, waiting: 1, suppressed: 3, duplicates: 1 }, "after it");
    },
  },
  {
    name: "a suppression survives a crash, and so does its end",
    needs: ["deletions", "restart"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann"), user("bob")], regulation: "suppress-only" });
      await open({ name: "2", userIds: [user("bob"), user("eve")], regulation: "unsuppress" });
      await scene.crash();
      const messages = ["ann", "bob", "eve"].map((name) => ({ userIds: [user(name)] }));
      expectEqual(await answers(scene, messages), ["suppressed", "stored", "stored"], "the answers");
    },
  },
  {
    name: "suppressed users are listed in pages, each once, exactly as they were named",
    needs: ["deletions"],
    async play(scene) {
      const moves = deletionScene(scene);
      const names = ["ann", "bob\u0000", "\ud800eve", "'--", "é"].map(moves.user);
      await moves.open({ userIds: names, regulation: "suppress-only" });
      await moves.open({ name: "2", userIds: names.slice(1, 3), regulation: "suppress-with-delete" });
      const mine = (await listAll(moves)).filter((userId) => userId.startsWith(moves.user("")));
      expectEqual(mine.toSorted(), names.toSorted(), "those of this case");
    },
  },
];

async function answers(
  scene: Scene,
  messages: readonly Partial<NewMessage>[],
): Promise<readonly AcceptResult["kind"][]> {
  const { accepted } = await scene.commit({ accept: messages.map((message) => scene.message(message)) });
  return accepted.map(({ kind }) => kind);
}

/** More pages than the suite can fill. */
const MAX_PAGES = 100;

async function listAll({ deletions }: DeletionScene): Promise<readonly string[]> {
  const all: string[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const after = all.at(-1);
    const more = await deletions().suppressed({ limit: 2, ...defined({ after }) });
    all.push(...more);
    if (more.length < 2) return all;
  }
  return all;
}

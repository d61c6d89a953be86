// Each regulation of a deletion request, and flags that are false.

import { effectsOf, REGULATIONS } from "@postrider/core";
import { expectEqual } from "../check.js";
import { deletionScene } from "./deletion-scene.js";
import { DELIVERED } from "./samples.js";
import type { StoreCase } from "./scene.js";
import { idsOf, listAll } from "./walk-list.js";

export const REQUEST_MEMBER_CASES: readonly StoreCase[] = [
  {
    name: "a request of each regulation keeps it, and suppresses, purges and ends what it says",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, user, open, purge } = deletionScene(scene);
      const userIds = [user("ann")];
      for (const regulation of REGULATIONS) {
        await open({ name: `before-${regulation}`, userIds, regulation: "unsuppress" });
        const id = await scene.acceptOne({ userIds });
        await open({ name: regulation, userIds, regulation });
        await purge(deletion(regulation));
        const { suppression, purges } = effectsOf(regulation);
        expectEqual((await deletions().find(deletion(regulation)))?.regulation, regulation, "the regulation as found");
        const listed = (await deletions().list({ limit: 1 })).deletions[0]?.regulation;
        expectEqual(listed, regulation, "the regulation as listed");
        const { reason } = await scene.record(id);
        expectEqual(reason === "purged", purges, `whether ${regulation} purges`);
        const [answer] = (await scene.commit({ accept: [scene.message({ userIds })] })).accepted;
        expectEqual(answer?.kind === "suppressed", suppression === "begins", `whether ${regulation} suppresses`);
      }
      await open({ name: "suppressed again", userIds, regulation: "suppress-only" });
      await open({ name: "ended", userIds, regulation: "unsuppress" });
      const [answer] = (await scene.commit({ accept: [scene.message({ userIds })] })).accepted;
      expectEqual(answer?.kind, "stored", "the answer once unsuppress has ended the suppression");
    },
  },
  {
    name: "a flag that is false asks for the same as one that is absent",
    async play(scene) {
      const of = await scene.finish(DELIVERED);
      await scene.commit({ replay: [{ of, start: { kind: "claimed" } }] });
      const lists = [await listAll(scene, { notReplayed: false }), await listAll(scene)];
      expectEqual(idsOf(lists[0] ?? []), idsOf(lists[1] ?? []), "the list with `notReplayed: false`");
      expectEqual(
        lists.map((list) => list.length),
        [2, 2],
        "how many are listed",
      );
      expectEqual((await listAll(scene, { notReplayed: true })).length, 1, "how many are not replayed");
    },
  },
  {
    name: "requests are listed with `unfinished` false as without it",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "unsuppress" });
      await deletions().finish(deletion("1"), scene.now());
      await open({ name: "2", userIds: [user("ann")] });
      const listed = async (query: object): Promise<readonly string[]> =>
        (await deletions().list({ ...query, limit: 2 })).deletions.map(({ id }) => id);
      expectEqual(await listed({ unfinished: false }), [deletion("2"), deletion("1")], "with `unfinished: false`");
      expectEqual(await listed({}), [deletion("2"), deletion("1")], "without it");
      expectEqual((await listed({ unfinished: true }))[0], deletion("2"), "the first that is unfinished");
    },
  },
];

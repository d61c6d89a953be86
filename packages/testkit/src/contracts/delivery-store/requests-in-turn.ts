// Several requests about the same user, in turn: the last one decides, however many came before, and a message is compared
// with all requests, finished ones too.

import { expectEqual } from "../check.js";
import { deletionScene } from "./deletion-scene.js";
import type { StoreCase } from "./scene.js";

export const REQUESTS_IN_TURN_CASES: readonly StoreCase[] = [
  {
    name: "one request ends the suppression of a user whom several requests have suppressed",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, deletions } = deletionScene(scene);
      const ann = { userIds: [user("ann")] };
      await open({ name: "1", ...ann, regulation: "suppress-only" });
      await open({ name: "2", ...ann, regulation: "suppress-with-delete" });
      await open({ name: "3", ...ann, regulation: "unsuppress" });
      const { accepted } = await scene.commit({ accept: [scene.message(ann)] });
      expectEqual(accepted[0]?.kind, "stored", "the answer to a message of this user");
      const listed = await deletions().suppressed({ limit: 10_000 });
      expectEqual(listed.includes(user("ann")), false, "whether the user is listed as suppressed");
    },
  },
  {
    name: "a finished request makes messages outdated as an unfinished one does",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, deletions, deletion } = deletionScene(scene);
      const asOf = (await deletions().list({ limit: 1 })).deletions[0]?.number ?? 0;
      await open({ userIds: [user("ann")], regulation: "unsuppress" });
      expectEqual(await deletions().finish(deletion("1"), scene.now()), true, "whether the request is finished");
      const { accepted } = await scene.commit({ accept: [scene.message({ asOf })] });
      expectEqual(accepted[0]?.kind, "outdated", "the answer to a message from before the request");
    },
  },
];

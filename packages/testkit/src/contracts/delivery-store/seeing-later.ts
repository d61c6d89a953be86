// What is seen of a messageId after its message: with a suppressed user, after a day, after a crash.

import { expectEqual } from "../check.js";
import { deletionScene } from "./deletion-scene.js";
import type { StoreCase } from "./scene.js";
import { see } from "./seeing.js";

const DAY_MS = 86_400_000;

export const SEEING_LATER_CASES: readonly StoreCase[] = [
  {
    name: "a suppressed user's message is not seen",
    needs: ["deletions"],
    async play(scene) {
      const { source } = scene;
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "suppress-only" });
      await scene.commit({ accept: [scene.message({ messageId: "hers", userIds: [user("ann")] })] });
      expectEqual(await see(scene, { messageId: "hers", source }), [], "what is seen");
    },
  },
  {
    name: "a message id is seen for as long as it makes duplicates, and no longer",
    needs: ["days"],
    async play(scene) {
      const { source } = scene;
      const first = { source, seenAt: scene.now(), deliveries: 1 };
      await scene.accept({ messageId: "daily" });
      await scene.advance(DAY_MS - 1);
      expectEqual(await see(scene, { messageId: "daily", source }), [first], "1 ms before the day is over");
      await scene.advance(1);
      expectEqual(await see(scene, { messageId: "daily", source }), [], "once the day is over");
      await scene.accept({ messageId: "daily", deliveries: [] });
      const second = { source, seenAt: scene.now(), deliveries: 0 };
      expectEqual(await see(scene, { messageId: "daily", source }), [second], "once it has come again");
    },
  },
  {
    name: "seen message ids survive a crash",
    needs: ["restart"],
    async play(scene) {
      const { source } = scene;
      await scene.accept({ messageId: "one" });
      await scene.accept({ messageId: "none", deliveries: [] });
      await scene.crash();
      const seenAt = scene.now();
      expectEqual(await see(scene, { messageId: "one", source }), [{ source, seenAt, deliveries: 1 }], "the first");
      expectEqual(await see(scene, { messageId: "none", source }), [{ source, seenAt, deliveries: 0 }], "the second");
    },
  },
];

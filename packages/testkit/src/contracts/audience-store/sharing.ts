// Several processes on one storage.

import type { AudienceStore } from "@postrider/core";
import { expectEqual } from "../check.js";
import { nextRevision } from "./samples.js";
import type { AudienceCase, Scene } from "./scene.js";

export const SHARING_CASES: readonly AudienceCase[] = [
  {
    name: "a process reads, extends and drops what another process has written",
    needs: ["sharing"],
    play: (scene) =>
      beside(scene, async (other) => {
        const [record, set] = [scene.record("shared"), scene.uniqueName("set")];
        await scene.store().create(record);
        await scene.append(set, ["a"]);
        expectEqual(await other.find(record.key), record, "the audience as the other finds it");
        expectEqual(await other.read(set), [{ userId: "a" }], "the members as the other reads them");
        await other.append(set, [{ userId: "b" }]);
        expectEqual(await scene.readIds(set), ["a", "b"], "the members as the first reads them");
        expectEqual(await other.drop(set), true, "the answer to the other's drop");
        expectEqual(await scene.store().sets(set), [], "the names as the first sees them");
      }),
  },
  {
    name: "a process that has seen an older revision replaces nothing",
    needs: ["sharing"],
    play: (scene) =>
      beside(scene, async (other) => {
        const record = scene.record("contended");
        await scene.store().create(record);
        expectEqual(await other.create(record), false, "the answer to the other's creation");
        expectEqual(await other.replace(nextRevision(record, { syncs: 1 })), true, "the answer to the other");
        expectEqual(
          await scene.store().replace(nextRevision(record, { syncs: 2 })),
          false,
          "the answer to the late one",
        );
        expectEqual((await scene.store().find(record.key))?.syncs, 1, "what is there");
      }),
  },
];

/** Plays with a second process on the same storage. */
async function beside(scene: Scene, play: (other: AudienceStore) => Promise<void>): Promise<void> {
  const other = await scene.openAnother();
  try {
    await play(other);
  } finally {
    await other.close();
  }
}

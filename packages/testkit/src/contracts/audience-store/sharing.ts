// Cases of several processes on one storage of audiences.

import { expectEqual } from "../check.js";
import { newRecord } from "../record-store/scene.js";
import type { AudienceCase } from "./scene.js";

export const SHARING_CASES: readonly AudienceCase[] = [
  {
    name: "a process reads, extends and drops what another process has written",
    needs: ["sharing"],
    async play(scene) {
      const other = await scene.openAnother();
      try {
        const [record, set] = [newRecord(scene), scene.uniqueName("set")];
        await scene.store().records.put(record);
        await scene.append(set, ["a"]);
        expectEqual(await other.records.find(record.kind, record.key), record, "the record as the other finds it");
        expectEqual(await other.read(set), [{ userId: "a" }], "the members as the other reads them");
        await other.append(set, [{ userId: "b" }]);
        expectEqual(await scene.readIds(set), ["a", "b"], "the members as the first reads them");
        expectEqual(await other.drop(set), true, "the answer to the other's drop");
        expectEqual(await scene.store().sets(set), [], "the names as the first sees them");
      } finally {
        await other.close();
      }
    },
  },
];

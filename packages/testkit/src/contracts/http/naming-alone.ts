// Look-ups do not delay other requests, and fail once.

import { endpointId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { expectAnswer, expectSilence, type HttpCase, MIDDLE_TIMEOUT_MS, requestTo } from "./scene.js";
import { answer204, HERE } from "./naming.js";

const STEP_MS = 100;

export const NAMING_ALONE_CASES: readonly HttpCase[] = [
  {
    name: "counts `afterMs` from the call, the look-up included",
    needs: ["ownResolver"],
    async play(scene) {
      const receiver = await scene.serve(answer204);
      const http = scene.open({ names: () => scene.wait(STEP_MS).then(() => [HERE]) });
      const { afterMs } = expectAnswer(await http.send(requestTo(receiver.url("/", "slow.example"))));
      expectThat(
        afterMs >= STEP_MS - 5,
        `afterMs is ${String(afterMs)}, but the look-up alone took ${String(STEP_MS)} ms`,
      );
    },
  },
  {
    name: "lets no request wait for the look-up of another name",
    needs: ["ownResolver"],
    async play(scene) {
      const receiver = await scene.serve(answer204);
      const http = scene.open({
        names: (host) => (host === "quick.example" ? Promise.resolve([HERE]) : new Promise(() => undefined)),
      });
      const stuck = Array.from({ length: 20 }, (_, index) =>
        http.send(requestTo(receiver.url("/", `${String(index)}.example`), { timeoutMs: MIDDLE_TIMEOUT_MS })),
      );
      const first = await Promise.race([...stuck, http.send(requestTo(receiver.url("/", "quick.example")))]);
      expectEqual(expectAnswer(first).status, 204, "the first reply");
    },
  },
  {
    name: "answers `dns` or `local` for a look-up that fails, without a second one",
    needs: ["ownResolver"],
    async play(scene) {
      for (const code of ["ENOTFOUND", "EAI_AGAIN", "ESERVFAIL", undefined]) {
        let asked = 0;
        const http = scene.open({
          names: () => {
            asked += 1;
            return Promise.reject(Object.assign(new Error("no answer"), { code }));
          },
        });
        const { fault } = expectSilence(await http.send(requestTo(endpointId("http://nobody.example/"))));
        expectThat(fault === "dns" || fault === "local", `the fault of ${String(code)} is ${fault}`);
        expectEqual(asked, 1, "look-ups");
      }
    },
  },
];

// Look-ups do not delay other requests, and fail once.

import { type EndpointId, endpointId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { expectAnswer, expectSilence, type HttpCase, type HttpScene, MIDDLE_TIMEOUT_MS, requestTo } from "./scene.js";
import { answer204, HERE } from "./naming.js";
import { withTimeToTell } from "./time-to-tell.js";

/** How long the look-up takes at first. */
const STEP_MS = 100;
/** A timer may end this much early by the clock of another part of the process. */
const EARLY_MS = 5;

export const NAMING_ALONE_CASES: readonly HttpCase[] = [
  {
    name: "counts `afterMs` from the call, the look-up included",
    needs: ["ownResolver"],
    async play(scene) {
      const receiver = await scene.serve(answer204);
      await withTimeToTell(STEP_MS, async (stepMs) => {
        const { afterMs, lookUpMs, restMs } = await timeSlowLookUp(scene, receiver.url("/", "slow.example"), stepMs);
        expectThat(
          afterMs >= lookUpMs - EARLY_MS,
          `afterMs is ${String(afterMs)}, but the look-up alone took ${String(lookUpMs)} ms`,
        );
        // An adapter that counts only the rest would have failed by now.
        return restMs < lookUpMs - EARLY_MS;
      });
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

/** Sends one request whose look-up takes `stepMs`, and measures both parts of it from outside the adapter. */
async function timeSlowLookUp(scene: HttpScene, url: EndpointId, stepMs: number): Promise<SlowLookUp> {
  const { clock } = scene;
  let askedAt = clock.monotonic();
  let foundAt = askedAt;
  const http = scene.open({
    names: async () => {
      askedAt = clock.monotonic();
      await scene.wait(stepMs);
      foundAt = clock.monotonic();
      return [HERE];
    },
  });
  const { afterMs } = expectAnswer(await http.send(requestTo(url)));
  return { afterMs, lookUpMs: foundAt - askedAt, restMs: clock.monotonic() - foundAt };
}

interface SlowLookUp {
  readonly afterMs: number;
  readonly lookUpMs: number;
  readonly restMs: number;
}

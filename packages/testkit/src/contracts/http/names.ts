// Cases of names: a look-up counts in the time of its request, as the handshake does, delays no other request, and is not
// repeated if it fails. The suite is the resolver: slow, silent or failing.

import { type HttpRequest, type Reply, type EndpointId, endpointId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import type { AnswerRequest } from "./receiver.js";
import {
  expectSilence,
  type HttpCase,
  type HttpScene,
  requestTo,
  SHORT_TIMEOUT_MS,
  expectAnswer,
  MIDDLE_TIMEOUT_MS,
} from "./scene.js";
import { withTimeToTell } from "./timing.js";

const answer204: AnswerRequest = (response) => response.writeHead(204).end();

const RECEIVER_ADDRESS = "127.0.0.1";

/** The duration of each of two steps. One is in time, with time to spare on a busy machine; both together are not. */
const LONG_STEP_MS = 1_800;

const TIMEOUT_IN_STEPS = 5 / 3;

export const NAME_CASES: readonly HttpCase[] = [
  {
    name: "answers `timeout`, on time, for a name whose look-up does not end, and sends nothing if it ends later",
    needs: ["ownResolver"],
    async play(scene) {
      const receiver = await scene.serve(answer204);
      let resolveNames = (_: readonly string[]): void => undefined;
      const http = scene.open({ names: () => new Promise((resolve) => (resolveNames = resolve)) });
      const sending = http.send(requestTo(receiver.url("/", "slow.example"), { timeoutMs: SHORT_TIMEOUT_MS }));
      const { fault } = expectSilence(await scene.onTime(sending, SHORT_TIMEOUT_MS));
      expectEqual(fault, "timeout", "the fault");
      resolveNames([RECEIVER_ADDRESS]);
      await scene.settle();
      expectEqual(receiver.connections(), 0, "connections after the timeout");
    },
  },
  {
    name: "counts the look-up and the answer as one time: each in time, but not both",
    needs: ["ownResolver"],
    async play(scene) {
      await withTimeToTell(LONG_STEP_MS, async (stepMs) => {
        const receiver = await scene.serve(answeringAfter(scene, stepMs));
        const firstStep = timedStep(scene, stepMs);
        const http = scene.open({ names: () => firstStep.take().then(() => [RECEIVER_ADDRESS]) });
        return expectOneTimeout(scene, {
          send: (ask) => http.send(requestTo(receiver.url("/", "slow.example"), ask)),
          firstStep,
          stepMs,
        });
      });
    },
  },
  {
    name: "counts the handshake and the answer as one time: each in time, but not both",
    needs: ["authorities"],
    async play(scene) {
      const identity = scene.authority.issue({ hosts: [RECEIVER_ADDRESS] });
      await withTimeToTell(LONG_STEP_MS, async (stepMs) => {
        const firstStep = timedStep(scene, stepMs);
        const receiver = await scene.serve(answeringAfter(scene, stepMs), { identity, delay: firstStep.take });
        const http = scene.open({ ca: [scene.authority.cert] });
        return expectOneTimeout(scene, { send: (ask) => http.send(requestTo(receiver.url(), ask)), firstStep, stepMs });
      });
    },
  },
  {
    name: "sends nothing to a receiver whose handshake ends after the timeout",
    needs: ["authorities"],
    async play(scene) {
      const identity = scene.authority.issue({ hosts: [RECEIVER_ADDRESS] });
      let beginTls = (): void => undefined;
      const delay = (): Promise<void> => new Promise((resolve) => (beginTls = resolve));
      const receiver = await scene.serve(answer204, { identity, delay });
      const http = scene.open({ ca: [scene.authority.cert] });
      const reply = await http.send(requestTo(receiver.url(), { timeoutMs: SHORT_TIMEOUT_MS }));
      expectEqual(expectSilence(reply).fault, "timeout", "the fault");
      beginTls();
      await scene.settle();
      expectEqual(receiver.requestsBegun(), 0, "requests after the timeout");
    },
  },
];

function answeringAfter({ clock }: HttpScene, stepMs: number): AnswerRequest {
  return (response) => void clock.after(stepMs, () => response.writeHead(204).end());
}

/** A step that waits, and the time of its end. */
interface TimedStep {
  readonly take: () => Promise<void>;
  readonly endedAt: () => number;
}

function timedStep(scene: HttpScene, stepMs: number): TimedStep {
  const { clock } = scene;
  let endedAt: number = clock.monotonic();
  return { take: () => scene.wait(stepMs).then(() => void (endedAt = clock.monotonic())), endedAt: () => endedAt };
}

interface TwoSteps {
  readonly send: (request: Pick<HttpRequest, "timeoutMs">) => Promise<Reply>;
  readonly firstStep: TimedStep;
  readonly stepMs: number;
}

/** Expects a timeout. Returns true if it came too soon for an adapter that counts from the end of the first step. */
async function expectOneTimeout(scene: HttpScene, { send, firstStep, stepMs }: TwoSteps): Promise<boolean> {
  const timeoutMs = TIMEOUT_IN_STEPS * stepMs;
  const { fault } = expectSilence(await scene.onTime(send({ timeoutMs }), timeoutMs));
  expectEqual(fault, "timeout", "the fault");
  return scene.clock.monotonic() - firstStep.endedAt() < timeoutMs;
}

/** The first duration of the look-up. */
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
        names: (host) =>
          host === "quick.example" ? Promise.resolve([RECEIVER_ADDRESS]) : new Promise(() => undefined),
      });
      const hanging = Array.from({ length: 20 }, (_, index) =>
        http.send(requestTo(receiver.url("/", `${String(index)}.example`), { timeoutMs: MIDDLE_TIMEOUT_MS })),
      );
      const firstReply = await Promise.race([...hanging, http.send(requestTo(receiver.url("/", "quick.example")))]);
      expectEqual(expectAnswer(firstReply).status, 204, "the first reply");
    },
  },
  {
    name: "answers `dns` or `local` for a look-up that fails, without a second one",
    needs: ["ownResolver"],
    async play(scene) {
      for (const code of ["ENOTFOUND", "EAI_AGAIN", "ESERVFAIL", undefined]) {
        let lookUps = 0;
        const http = scene.open({
          names: () => {
            lookUps += 1;
            return Promise.reject(Object.assign(new Error("no answer"), { code }));
          },
        });
        const { fault } = expectSilence(await http.send(requestTo(endpointId("http://nobody.example/"))));
        expectThat(fault === "dns" || fault === "local", `the fault of ${String(code)} is ${fault}`);
        expectEqual(lookUps, 1, "look-ups");
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
      return [RECEIVER_ADDRESS];
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

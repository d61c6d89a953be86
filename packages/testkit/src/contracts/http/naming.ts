// Names: their look-up is a part of the time, and so is the handshake. The suite is the resolver: slow, silent or failing.

import { expectEqual } from "../check.js";
import type { AnswerRequest } from "./receiver.js";
import { expectSilence, type HttpCase, requestTo, SHORT_TIMEOUT_MS } from "./scene.js";

export const answer204: AnswerRequest = (response) => response.writeHead(204).end();

export const HERE = "127.0.0.1";
/** Each of the two steps is in time, with time to spare on a busy machine, but both are not. */
const TWO_STEPS_TIMEOUT_MS = 3_000;
const LONG_STEP_MS = 0.6 * TWO_STEPS_TIMEOUT_MS;

export const NAME_CASES: readonly HttpCase[] = [
  {
    name: "answers `timeout`, on time, for a name whose look-up does not end, and sends nothing if it ends later",
    needs: ["ownResolver"],
    async play(scene) {
      const receiver = await scene.serve(answer204);
      let answer = (_: readonly string[]): void => undefined;
      const http = scene.open({ names: () => new Promise((resolve) => (answer = resolve)) });
      const sending = http.send(requestTo(receiver.url("/", "slow.example"), { timeoutMs: SHORT_TIMEOUT_MS }));
      const { fault } = expectSilence(await scene.onTime(sending, SHORT_TIMEOUT_MS));
      expectEqual(fault, "timeout", "the fault");
      answer([HERE]);
      await scene.settle();
      expectEqual(receiver.connections(), 0, "connections after the timeout");
    },
  },
  {
    name: "counts the look-up and the answer as one time: each in time, but not both",
    needs: ["ownResolver"],
    async play(scene) {
      const receiver = await scene.serve((response) => {
        scene.clock.after(LONG_STEP_MS, () => response.writeHead(204).end());
      });
      const http = scene.open({ names: () => scene.wait(LONG_STEP_MS).then(() => [HERE]) });
      const sending = http.send(requestTo(receiver.url("/", "slow.example"), { timeoutMs: TWO_STEPS_TIMEOUT_MS }));
      const reply = expectSilence(await scene.onTime(sending, TWO_STEPS_TIMEOUT_MS));
      expectEqual(reply.fault, "timeout", "the fault");
    },
  },
  {
    name: "counts the handshake and the answer as one time: each in time, but not both",
    needs: ["authorities"],
    async play(scene) {
      const identity = scene.authority.issue({ hosts: [HERE] });
      const receiver = await scene.serve(
        (response) => {
          scene.clock.after(LONG_STEP_MS, () => response.writeHead(204).end());
        },
        { identity, delay: () => scene.wait(LONG_STEP_MS) },
      );
      const http = scene.open({ ca: [scene.authority.cert] });
      const sending = http.send(requestTo(receiver.url(), { timeoutMs: TWO_STEPS_TIMEOUT_MS }));
      expectEqual(expectSilence(await scene.onTime(sending, TWO_STEPS_TIMEOUT_MS)).fault, "timeout", "the fault");
    },
  },
  {
    name: "sends nothing to a receiver whose handshake ends after the timeout",
    needs: ["authorities"],
    async play(scene) {
      const identity = scene.authority.issue({ hosts: [HERE] });
      let begin = (): void => undefined;
      const delay = (): Promise<void> => new Promise((resolve) => (begin = resolve));
      const receiver = await scene.serve(answer204, { identity, delay });
      const http = scene.open({ ca: [scene.authority.cert] });
      const reply = await http.send(requestTo(receiver.url(), { timeoutMs: SHORT_TIMEOUT_MS }));
      expectEqual(expectSilence(reply).fault, "timeout", "the fault");
      begin();
      await scene.settle();
      expectEqual(receiver.requestsBegun(), 0, "requests after the timeout");
    },
  },
];

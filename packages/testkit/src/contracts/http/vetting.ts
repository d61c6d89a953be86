// What is dialled for a name: the addresses of its look-up, all of them checked, and no other. The suite is the resolver, with
// another answer each time.

import { type endpointId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import type { AnswerRequest } from "./receiver.js";
import { expectAnswer, expectSilence, type HttpCase, type HttpScene, requestTo, SHORT_TIMEOUT_MS } from "./scene.js";

const accept: AnswerRequest = (response) => response.writeHead(204).end();

const HERE = "127.0.0.1";
/** Also this machine, but no receiver listens there. */
const BESIDE = "127.0.0.2";

export const VETTING_CASES: readonly HttpCase[] = [
  {
    name: "dials only what the look-up of this dial answered, which is asked for once",
    needs: ["vettedAddresses", "ownResolver"],
    async play(scene) {
      // The receiver may not be reached; its name points to it in the first look-up only, or in all others.
      const receiver = await scene.serve(accept);
      for (const first of [BESIDE, HERE]) {
        let asked = 0;
        const second = first === HERE ? BESIDE : HERE;
        const names = (): Promise<readonly string[]> => {
          asked += 1;
          return Promise.resolve([asked === 1 ? first : second]);
        };
        const http = scene.open({ allow: [`${BESIDE}/32`], names });
        await expectRefused(http, receiver.url("/", "rebound.example"));
        expectEqual(asked, 1, "look-ups of one request");
      }
      expectEqual(receiver.connections(), 0, "connections to the address that is not allowed");
    },
  },
  {
    name: "checks the addresses of a name anew with each dial",
    needs: ["vettedAddresses", "ownResolver"],
    async play(scene) {
      const receiver = await scene.serve((response) => response.writeHead(204, { Connection: "close" }).end());
      let address = HERE;
      const http = scene.open({ allow: [`${HERE}/32`], names: () => Promise.resolve([address]) });
      expectAnswer(await http.send(requestTo(receiver.url("/", "rebound.example"))));
      await scene.settle();
      address = BESIDE;
      const reply = expectSilence(await http.send(requestTo(receiver.url("/", "rebound.example"))));
      expectEqual(reply.fault, "forbidden-address", "the fault once the name points elsewhere");
    },
  },
  {
    name: "dials only the allowed addresses of a name that has others, however many it has",
    needs: ["vettedAddresses", "ownResolver"],
    async play(scene) {
      const receiver = await scene.serve(accept);
      const url = receiver.url("/", "many.example");
      const named = (many: string, last: string): (() => Promise<readonly string[]>) => {
        const names = [...Array.from({ length: 40 }, () => many), last];
        return () => Promise.resolve(names);
      };
      const beside = scene.open({ allow: [`${BESIDE}/32`], names: named(HERE, BESIDE) });
      const reply = expectSilence(await beside.send(requestTo(url)));
      expectThat(reply.fault !== "forbidden-address", "an allowed address is left out with the others");
      expectEqual(receiver.connections(), 0, "connections to the address that is not allowed");
      const here = scene.open({ allow: [`${HERE}/32`], names: named(BESIDE, HERE) });
      expectEqual(expectAnswer(await here.send(requestTo(url))).status, 204, "the status");
    },
  },
  {
    name: "sends one request to a name of several addresses, of which the first does not answer",
    needs: ["ownResolver"],
    async play(scene) {
      const receiver = await scene.serve(accept);
      const http = scene.open({ names: () => Promise.resolve([BESIDE, HERE, HERE]) });
      const reply = await http.send(requestTo(receiver.url("/", "several.example")));
      expectEqual(expectAnswer(reply).status, 204, "the status");
    },
  },
];

/** Expects that a request gets no answer: its address is forbidden, or no receiver listens there. */
async function expectRefused(http: ReturnType<HttpScene["open"]>, url: ReturnType<typeof endpointId>): Promise<void> {
  expectSilence(await http.send(requestTo(url, { timeoutMs: 4 * SHORT_TIMEOUT_MS })));
}

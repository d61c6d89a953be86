// Cases of addresses: they are reached only if they are public or allowed, and for a name only those of its look-up are
// dialled. The suite is the resolver, with another answer each time.

import { endpointId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { expectAnswer, type HttpCase, requestTo, expectSilence, type HttpScene, SHORT_TIMEOUT_MS } from "./scene.js";
import type { AnswerRequest } from "./receiver.js";

/** Notations of hosts that would all reach a receiver on this machine. */
const SPELLINGS = ["127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0.0.0.0", "[::ffff:127.0.0.1]", "127.0.0.1."];

const PUBLIC_ADDRESS = "198.41.0.4";

export const ADDRESS_CASES: readonly HttpCase[] = [
  {
    name: "answers `forbidden-address` for an address that is not public, in any notation, and does not connect",
    needs: ["vettedAddresses"],
    async play(scene) {
      const receiver = await scene.listen(() => undefined);
      const http = scene.open({ allow: [] });
      for (const host of SPELLINGS) {
        const url = endpointId(new URL(receiver.url("/", host)).href);
        expectEqual(expectSilence(await http.send(requestTo(url))).fault, "forbidden-address", `the fault of ${host}`);
      }
      expectEqual(receiver.connections(), 0, "connections");
    },
  },
  {
    name: "answers `forbidden-address` for a name with such an address, alone or among others, and does not connect",
    needs: ["vettedAddresses", "ownResolver"],
    async play(scene) {
      const receiver = await scene.listen(() => undefined);
      const names = new Map([
        ["inside.example", ["127.0.0.1"]],
        ["mixed.example", [PUBLIC_ADDRESS, "127.0.0.1"]],
        ["six.example", ["::ffff:7f00:1"]],
      ]);
      const http = scene.open({ allow: [], names: (host) => Promise.resolve(names.get(host) ?? []) });
      for (const host of names.keys()) {
        const reply = await http.send(requestTo(receiver.url("/", host)));
        expectEqual(expectSilence(reply).fault, "forbidden-address", `the fault of ${host}`);
      }
      expectEqual(receiver.connections(), 0, "connections");
    },
  },
  {
    name: "reaches allowed addresses, directly and by name, and sends the name as Host",
    needs: ["vettedAddresses", "ownResolver"],
    async play(scene) {
      const receiver = await scene.serve((response) => response.writeHead(204).end());
      const http = scene.open({ allow: ["127.0.0.1/32"], names: () => Promise.resolve(["127.0.0.1"]) });
      for (const host of ["127.0.0.1", "inside.example"]) {
        expectEqual(
          expectAnswer(await http.send(requestTo(receiver.url("/", host)))).status,
          204,
          `the status of ${host}`,
        );
      }
      const hosts = receiver.requests.map(
        ({ headers }) => headers.find(([name]) => name.toLowerCase() === "host")?.[1],
      );
      const port = String(receiver.port);
      expectEqual(hosts, [`127.0.0.1:${port}`, `inside.example:${port}`], "the Host headers");
    },
  },
  {
    name: "answers `dns` for an unknown name",
    needs: ["ownResolver"],
    async play(scene) {
      const nameError = Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
      const http = scene.open({ names: async (host) => (host === "empty.example" ? [] : Promise.reject(nameError)) });
      for (const host of ["nobody.example", "empty.example"]) {
        const reply = await http.send(requestTo(endpointId(`http://${host}/`)));
        expectEqual(expectSilence(reply).fault, "dns", `the fault of ${host}`);
      }
    },
  },
];

const answer204: AnswerRequest = (response) => response.writeHead(204).end();

const RECEIVER_ADDRESS = "127.0.0.1";

/** Also this machine, but no receiver listens there. */
const EMPTY_ADDRESS = "127.0.0.2";

export const VETTING_CASES: readonly HttpCase[] = [
  {
    name: "dials only what the look-up of this dial answered, which is asked for once",
    needs: ["vettedAddresses", "ownResolver"],
    async play(scene) {
      // The receiver may not be reached; its name points to it in the first look-up only, or in all others.
      const receiver = await scene.serve(answer204);
      for (const firstAnswer of [EMPTY_ADDRESS, RECEIVER_ADDRESS]) {
        let lookUps = 0;
        const laterAnswer = firstAnswer === RECEIVER_ADDRESS ? EMPTY_ADDRESS : RECEIVER_ADDRESS;
        const names = (): Promise<readonly string[]> => {
          lookUps += 1;
          return Promise.resolve([lookUps === 1 ? firstAnswer : laterAnswer]);
        };
        const http = scene.open({ allow: [`${EMPTY_ADDRESS}/32`], names });
        await expectNoAnswer(http, receiver.url("/", "rebound.example"));
        expectEqual(lookUps, 1, "look-ups of one request");
      }
      expectEqual(receiver.connections(), 0, "connections to the address that is not allowed");
    },
  },
  {
    name: "checks the addresses of a name anew with each dial",
    needs: ["vettedAddresses", "ownResolver"],
    async play(scene) {
      const receiver = await scene.serve((response) => response.writeHead(204, { Connection: "close" }).end());
      let address = RECEIVER_ADDRESS;
      const http = scene.open({ allow: [`${RECEIVER_ADDRESS}/32`], names: () => Promise.resolve([address]) });
      expectAnswer(await http.send(requestTo(receiver.url("/", "rebound.example"))));
      await scene.settle();
      address = EMPTY_ADDRESS;
      const reply = expectSilence(await http.send(requestTo(receiver.url("/", "rebound.example"))));
      expectEqual(reply.fault, "forbidden-address", "the fault once the name points elsewhere");
    },
  },
  {
    name: "dials only the allowed addresses of a name that has others, however many it has",
    needs: ["vettedAddresses", "ownResolver"],
    async play(scene) {
      const receiver = await scene.serve(answer204);
      const url = receiver.url("/", "many.example");
      const resolveMany = (address: string, lastAddress: string): (() => Promise<readonly string[]>) => {
        const names = [...Array.from({ length: 40 }, () => address), lastAddress];
        return () => Promise.resolve(names);
      };
      const emptyAddressHttp = scene.open({
        allow: [`${EMPTY_ADDRESS}/32`],
        names: resolveMany(RECEIVER_ADDRESS, EMPTY_ADDRESS),
      });
      const reply = expectSilence(await emptyAddressHttp.send(requestTo(url)));
      expectThat(reply.fault !== "forbidden-address", "an allowed address is left out with the others");
      expectEqual(receiver.connections(), 0, "connections to the address that is not allowed");
      const receiverHttp = scene.open({
        allow: [`${RECEIVER_ADDRESS}/32`],
        names: resolveMany(EMPTY_ADDRESS, RECEIVER_ADDRESS),
      });
      expectEqual(expectAnswer(await receiverHttp.send(requestTo(url))).status, 204, "the status");
    },
  },
  {
    name: "sends one request to a name of several addresses, of which the first does not answer",
    needs: ["ownResolver"],
    async play(scene) {
      const receiver = await scene.serve(answer204);
      const http = scene.open({ names: () => Promise.resolve([EMPTY_ADDRESS, RECEIVER_ADDRESS, RECEIVER_ADDRESS]) });
      const reply = await http.send(requestTo(receiver.url("/", "several.example")));
      expectEqual(expectAnswer(reply).status, 204, "the status");
    },
  },
];

/** Expects that a request gets no answer: its address is forbidden, or no receiver listens there. */
async function expectNoAnswer(http: ReturnType<HttpScene["open"]>, url: ReturnType<typeof endpointId>): Promise<void> {
  expectSilence(await http.send(requestTo(url, { timeoutMs: 4 * SHORT_TIMEOUT_MS })));
}

// Destinations of requests: names as the resolver gives them, addresses only if they are public or allowed.

import { endpointId } from "@postrider/core";
import { expectEqual } from "../check.js";
import { expectAnswer, type HttpCase, requestTo, expectSilence } from "./scene.js";

/** Notations of hosts that would all reach a receiver on this machine. */
const SPELLINGS = ["127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0.0.0.0", "[::ffff:127.0.0.1]", "127.0.0.1."];
const PUBLIC = "198.41.0.4";

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
        ["mixed.example", [PUBLIC, "127.0.0.1"]],
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
      const unknown = Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
      const http = scene.open({ names: async (host) => (host === "empty.example" ? [] : Promise.reject(unknown)) });
      for (const host of ["nobody.example", "empty.example"]) {
        const reply = await http.send(requestTo(endpointId(`http://${host}/`)));
        expectEqual(expectSilence(reply).fault, "dns", `the fault of ${host}`);
      }
    },
  },
];

import { lookup } from "node:dns/promises";
import { createSystemClock } from "@postrider/system";
import { httpContract } from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { createNodeHttp } from "./http-adapter.js";

const system = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);

describe("our adapter keeps the contract", () => {
  const cases = httpContract({
    create: ({ names = system, ...options }) => createNodeHttp({ ...options, resolve: names }),
    clock: createSystemClock,
    supports: {
      ...{ exactHeaders: true, emptyQueries: true, everyStatus: true, rawAnswers: true, boundedFraming: true },
      ...{ socketFaults: true, certificateFaults: true, authorities: true, strictTls: true, vettedAddresses: true },
      ...{ ownResolver: true, ownConnections: true, close: true },
      statusLines: { reason: "node:http reports no status before the head is whole and right" },
    },
  });
  for (const { name, run } of cases) it(name, run, 300_000);
});

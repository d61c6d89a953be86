// Which receiver a name leads to on each machine of the table, with the files and the name server of the test.

import { createManualClock } from "@postrider/memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAskDns, createResolveName } from "../../packages/undici/src/resolve-name.js";
import { chooseAddresses, createIsAllowedAddress } from "../../packages/undici/src/addresses.js";
import { createSkippingClock } from "../postrider/skipping-clock.js";
import { type DnsServer, startDnsServer } from "./dns-server.js";
import { nameFiles } from "./name-files.js";
import { NAME_SET_UPS, type NameSetUp } from "./name-set-ups.js";

/** A silent server is waited for in real time, so only the soak run plays it. */
const QUICK = NAME_SET_UPS.filter(({ servers = [] }) => !servers.includes("silent"));

async function open({ dns = {}, servers = ["answers"] }: NameSetUp): Promise<readonly string[]> {
  const answering = await startDnsServer((name) => dns[name]);
  onTestFinished(() => answering.close());
  const gone: DnsServer = await startDnsServer(() => undefined);
  await gone.close();
  return servers.map((server) => (server === "answers" ? answering.address : gone.address));
}

/** The first listener at the addresses that a delivery would dial. */
async function follow(setUp: NameSetUp): Promise<string> {
  const { host, allow = [], listeners } = setUp;
  const clock = createSkippingClock();
  const askDns = createAskDns(clock, await open(setUp));
  const settings = { servers: [], tryMs: 2_000, tries: 1 };
  const resolve = createResolveName({
    clock: createManualClock(),
    readFiles: async () => nameFiles(setUp),
    askDns,
    // Multicast DNS has no answers here, so that the system asks files and DNS.
    askSystem: async (asked) => inHosts(setUp, asked) ?? askDns(asked, settings),
  });
  const state = { isDone: false };
  const resolving = resolve(host)
    .catch(() => [])
    .finally(() => (state.isDone = true));
  while (!state.isDone) {
    await new Promise((resume) => setImmediate(resume));
    clock.skip(10_000);
  }
  const rules = { mayReach: createIsAllowedAddress({ allow }), isPublic: createIsAllowedAddress() };
  const chosen = chooseAddresses(await resolving, rules);
  return chosen.map((address) => listeners[address] ?? "nothing").find((one) => one !== "nothing") ?? "none";
}

function inHosts(setUp: NameSetUp, host: string): readonly string[] | undefined {
  const found = nameFiles(setUp).hosts.get(host);
  return found === undefined ? undefined : [...found];
}

describe("a delivery reaches the right receiver, or none, with", () => {
  it.each(QUICK.map((setUp) => [setUp.what, setUp] as const))("%s", async (_, setUp) => {
    expect(await follow(setUp)).toBe(setUp.delivery);
  });
});

it("the table has the machine that is meant or none by the policy, and never a stranger", () => {
  expect(NAME_SET_UPS.length).toBeGreaterThanOrEqual(30);
  const wrong = NAME_SET_UPS.filter(({ curl, delivery }) => delivery !== curl && delivery !== "none");
  expect(wrong.map(({ what }) => what)).toEqual([]);
});

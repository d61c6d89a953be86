// A check of the suite: each broken adapter must fail the promises that it breaks. They are listed in docs/http-contract.md;
// after a change of the suite, run `npx vitest run test/contracts/broken-http.test.ts --update`.

import { createSystemClock } from "@postrider/system";
import { type ContractCase, httpContract, type HttpSupport } from "@postrider/testkit/contracts";
import { describe, expect, it } from "vitest";
import type { CreateHttp } from "./broken/http-wrappers.js";
import { BROKEN_HTTP } from "./broken-http.js";
import { fails } from "./fails.js";
import { createPlainHttp, PLAIN_SUPPORTS } from "./plain-http.js";

const EVERYTHING = Object.fromEntries(
  Object.keys(PLAIN_SUPPORTS).map((part) => [part, true]),
) as unknown as HttpSupport;

/** At the same time: many wait for an adapter that hangs. */
describe.concurrent("the contract suite of the HTTP port", () => {
  for (const { name, breaks, create } of BROKEN_HTTP) {
    it(`catches an adapter that ${name}`, async () => {
      const cases = casesFor(create).filter((one) => breaks.includes(one.name) && one.skipped === undefined);
      expect(cases.map((one) => one.name).toSorted()).toEqual(breaks.toSorted());
      const passed = await Promise.all(cases.map(async (one) => ((await failsOrHangs(one)) ? [] : [one.name])));
      expect(passed.flat()).toEqual([]);
    });
  }
});

describe("the contract suite of the HTTP port", () => {
  it("is as docs/http-contract.md says", async () => {
    await expect(writePage()).toMatchFileSnapshot("../../docs/http-contract.md");
  });

  it("leaves out what an adapter does not support, and says why", async () => {
    const reason = "no separate connections";
    const skipped = casesFor(createPlainHttp, { ...EVERYTHING, ownConnections: { reason } }).filter(
      (one) => one.skipped !== undefined,
    );
    expect(skipped).toHaveLength(3);
    for (const skippedCase of skipped) {
      expect(skippedCase.skipped).toBe(reason);
      expect(skippedCase.name).toContain(reason);
      await skippedCase.run();
    }
  });

  it("has no two promises of one name", () => {
    const names = casesFor(createPlainHttp, EVERYTHING).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  describe("catches nothing in an adapter that is not broken", () => {
    for (const { name, skipped, run } of casesFor(createPlainHttp)) it.skipIf(skipped !== undefined)(name, run);
  });
});

function casesFor(create: CreateHttp, supports: HttpSupport = PLAIN_SUPPORTS): readonly ContractCase[] {
  return httpContract({ create, clock: createSystemClock, supports });
}

/** Of an adapter that hangs, a case would fail only after the patience of the suite. */
const HANGS_AFTER_MS = 15_000;

async function failsOrHangs(contractCase: ContractCase): Promise<boolean> {
  const hangs = new Promise<boolean>((resolve) => setTimeout(resolve, HANGS_AFTER_MS, true).unref());
  return Promise.race([fails(contractCase), hangs]);
}

function writePage(): string {
  const names = casesFor(createPlainHttp, EVERYTHING).map(({ name }) => name);
  const sections = BROKEN_HTTP.map(
    ({ name, breaks }) => `### ${name}\n\n${breaks.map((one) => `- ${one}`).join("\n")}\n`,
  );
  return [
    "# What the contract suite of the HTTP port promises, and what it catches\n",
    "Written by `test/contracts/broken-http.test.ts`; `npx vitest run test/contracts --update` writes it anew.\n",
    `## The ${String(names.length)} promises\n`,
    `${names.map((name, index) => `${String(index + 1)}. ${name}`).join("\n")}\n`,
    "In each case, a receiver counts: it gets one request for each that is to be sent to it, whatever its method, and no",
    "connection more than that from an adapter that manages its own. Each reply is checked: a status from 200 to 599, an excerpt",
    "of at most 4,096 bytes, none of a success, and an `afterMs` that is not longer than the call took.\n",
    "## What is left free\n",
    "- An answer that comes before its request, if that request is under way by then: HTTP/1.1 cannot tell it from the answer.",
    "- Receivers on ports 80 and 443, where the suite cannot listen.\n",
    `## What each of the ${String(BROKEN_HTTP.length)} broken adapters trips over, among others\n`,
    ...sections,
  ].join("\n");
}

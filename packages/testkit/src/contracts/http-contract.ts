// The contract of the HTTP port, as cases. They test what the comments of `HttpPort` say, against real receivers on
// 127.0.0.1 that the suite starts. Knows no adapter and no test runner.

import { caseFor, type ContractCase, type Supported } from "./contract-case.js";
import { ANSWERING_CASES } from "./http/answering.js";
import { FAILING_CASES } from "./http/failing.js";
import type { HttpHarness, HttpSupport } from "./http/harness.js";
import { CONNECTION_CASES } from "./http/keeping.js";
import { ADDRESS_CASES } from "./http/reaching.js";
import { type HttpCase, type HttpScene, setHttpScene } from "./http/scene.js";
import { SENDING_CASES } from "./http/sending.js";
import { TIMEOUT_CASES } from "./http/timing.js";
import { TRUST_CASES } from "./http/trusting.js";

const CASES: readonly HttpCase[] = [
  ...SENDING_CASES,
  ...ANSWERING_CASES,
  ...TIMEOUT_CASES,
  ...FAILING_CASES,
  ...TRUST_CASES,
  ...ADDRESS_CASES,
  ...CONNECTION_CASES,
];

const LONGEST_CASE_MS = 15_000;

/**
 * All promises of an HTTP adapter. Run them one after the other: some measure time, two change an environment variable.
 */
export function httpContract(harness: HttpHarness): readonly ContractCase[] {
  return CASES.map((httpCase) => {
    const supported = findSupport(harness.supports, httpCase.needs ?? []);
    return caseFor(httpCase.name, supported, () => play(harness, httpCase));
  });
}

function findSupport(supports: HttpSupport, needs: readonly (keyof HttpSupport)[]): Supported {
  return needs.map((need) => supports[need]).find((supported) => supported !== true) ?? true;
}

async function play(harness: HttpHarness, httpCase: HttpCase): Promise<void> {
  const scene = setHttpScene(harness);
  try {
    await Promise.race([httpCase.play(scene), giveUp(scene)]);
  } finally {
    await scene.close();
  }
}

/** Rejects when a case takes longer than any case needs: the adapter hangs. */
async function giveUp(scene: HttpScene): Promise<never> {
  await scene.wait(LONGEST_CASE_MS);
  throw new Error(`no end after ${String(LONGEST_CASE_MS)} ms`);
}

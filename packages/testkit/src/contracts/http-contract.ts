// The contract of the HTTP port, as cases. The cases test what the comments of `HttpPort` say, against real
// receivers on 127.0.0.1 that the suite starts.

import { caseFor, type ContractCase, type Supported } from "./contract-case.js";
import { ANSWERING_CASES, PIECES_CASES, STATUS_LINE_CASES } from "./http/answers.js";
import { ANSWERING_IN_TIME_CASES, BOUND_CASES } from "./http/answer-bounds.js";
import { RETRY_AFTER_CASES } from "./http/retry-after.js";
import { BODY_CASES, SENDING_CASES } from "./http/requests.js";
import { CLOCK_CASES, TIMEOUT_CASES } from "./http/timing.js";
import { FAILING_CASES } from "./http/failing.js";
import type { HttpHarness, HttpAbility, HttpSupport } from "./http/harness.js";
import { INVITATION_CASES } from "./http/invitations.js";
import { CONNECTION_CASES, SHARED_CONNECTION_CASES } from "./http/connections.js";
import { NAME_CASES, NAMING_ALONE_CASES } from "./http/names.js";
import { ODD_CASES, UNASKED_CASES } from "./http/odd-answers.js";
import { ADDRESS_CASES, VETTING_CASES } from "./http/addresses.js";
import { type HttpCase, type HttpScene, setHttpScene } from "./http/scene.js";
import { TARGET_CASES } from "./http/targets.js";
import { TRUST_CASES, DISTRUST_CASES } from "./http/trust.js";

const CASES: readonly HttpCase[] = [
  ...BODY_CASES,
  ...SENDING_CASES,
  ...TARGET_CASES,
  ...ANSWERING_CASES,
  ...RETRY_AFTER_CASES,
  ...PIECES_CASES,
  ...ANSWERING_IN_TIME_CASES,
  ...INVITATION_CASES,
  ...ODD_CASES,
  ...STATUS_LINE_CASES,
  ...UNASKED_CASES,
  ...BOUND_CASES,
  ...TIMEOUT_CASES,
  ...CLOCK_CASES,
  ...FAILING_CASES,
  ...TRUST_CASES,
  ...DISTRUST_CASES,
  ...ADDRESS_CASES,
  ...NAME_CASES,
  ...NAMING_ALONE_CASES,
  ...VETTING_CASES,
  ...CONNECTION_CASES,
  ...SHARED_CONNECTION_CASES,
];

/** The time after which a case is given up: more than any case needs on the busiest machine. */
const LONGEST_CASE_MS = 120_000;

/**
 * All promises of an HTTP adapter. Run them one after the other: some measure time, two change an environment variable.
 */
export function httpContract(harness: HttpHarness): readonly ContractCase[] {
  return CASES.map((httpCase) => {
    const supported = findSupport(harness.supports, httpCase.needs ?? []);
    return caseFor(httpCase.name, supported, () => play(harness, httpCase));
  });
}

function findSupport(supports: HttpSupport, needs: readonly HttpAbility[]): Supported {
  return needs.map((need) => supports[need]).find((supported) => supported !== true) ?? true;
}

async function play(harness: HttpHarness, httpCase: HttpCase): Promise<void> {
  const scene = setHttpScene(harness);
  try {
    await Promise.race([httpCase.play(scene), giveUp(scene)]);
    await scene.expectCounts();
  } finally {
    await scene.close();
  }
}

/** Rejects when a case takes longer than any case needs: the adapter hangs. */
async function giveUp(scene: HttpScene): Promise<never> {
  await scene.wait(LONGEST_CASE_MS);
  throw new Error(`no end after ${String(LONGEST_CASE_MS)} ms`);
}

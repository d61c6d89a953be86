// The contract of the call storage port, as cases. They test what the comments of `CallStorage` say. Knows no storage and
// no test runner.

import { CALL_STORAGE_CASES } from "./call-storage/cases.js";
import type { CallStorageHarness } from "./call-storage/harness.js";
import { caseFor, chooseCases, type ContractCase, type ContractOptions } from "./contract-case.js";

/** All promises of a call storage, each tested on a separate storage. */
export function callStorageContract(
  harness: CallStorageHarness,
  options: ContractOptions = {},
): readonly ContractCase[] {
  let runs = 0;
  const cases = CALL_STORAGE_CASES.map(({ name, needs, maxCalls, play }) => {
    const supported = needs === undefined ? true : harness.supports[needs];
    return caseFor(name, supported, async () => {
      runs += 1;
      const storage = `calls-${String(runs)}`;
      const open = () => harness.open(storage, maxCalls);
      await play(await open(), open);
    });
  });
  return chooseCases(cases, options);
}

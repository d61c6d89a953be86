// Tells whether a case finds a broken promise, for the players of all suites.

import { type ContractCase, isHarnessError } from "@postrider/testkit/contracts";

/** A case that cannot run for want of a harness has found nothing: its error is thrown on, with the name of the case. */
export async function fails({ name, run }: ContractCase): Promise<boolean> {
  try {
    await run();
    return false;
  } catch (error) {
    if (isHarnessError(error)) throw new Error(`could not run: ${name}: ${error.message}`, { cause: error });
    return true;
  }
}

// Creates a relay from its ports and settings: refuses wrong settings, and has the inputs recorded where the host asks for
// it. Does not know the parts of a relay.

import type { Problem } from "@postrider/core";
import { createOptionsError } from "@postrider/core/engine";
import { type AssembledRelay, assembleRelay } from "./assemble-relay.js";
import { demandChecked } from "./settings-in-force.js";
import { createPassOn } from "./create-emit.js";
import { createRecordedRelay } from "./recorded-relay.js";
import type { Relay, RelayOptions } from "./relay.js";
import type { RelayState } from "./relay-state.js";

/**
 * Creates a relay. It accepts calls at once, and delivers after `start`. Throws an `OptionsError` that names all
 * problems of its settings; `checkSettings` returns the problems instead of throwing.
 */
export function createRelay(options: RelayOptions): Relay {
  const { recorder } = options;
  const open = (opened: RelayOptions, state?: RelayState): AssembledRelay =>
    assembleRelay(
      opened,
      demandChecked(opened.workspace).match((checked) => checked, refuse),
      state,
    );
  if (recorder !== undefined) {
    return createRecordedRelay({ ...options, recorder }, { open, passOn: createPassOn(options) });
  }
  return open(options);
}

function refuse(problems: readonly Problem[]): never {
  const placed = problems.map((problem) => ({ ...problem, path: `workspace.${problem.path}` }));
  throw createOptionsError("createRelay", placed);
}

// Settings that change in flight: those of the start, with what is other in them now. Several changes may be in force at once, and the
// one that began last decides. Decides nothing by the clock.

import { createSecret, type Destination, type Workspace } from "@postrider/core";
import { endpointsOf, SIMULATED_SOURCE } from "./build-workspace.js";
import type { ChangedSettings, SimulatedChange } from "./simulation.js";

/** The settings of the start with these changes, the latest last. */
export function changeSettings(workspace: Workspace, changes: readonly SimulatedChange[]): Workspace {
  const destinations = workspace.destinations.flatMap((destination) => {
    const ownChanges = changes.filter((change) => change.destination === destination.id);
    const isRemoved = ownChanges.some(({ sets }) => sets.is === "removed");
    return isRemoved ? [] : [ownChanges.reduce((changed, { sets }) => changeDestination(changed, sets), destination)];
  });
  return { ...workspace, destinations };
}

function changeDestination(
  destination: Destination,
  { receivers, rateLimit, secret, is }: ChangedSettings,
): Destination {
  const { rateLimit: earlierLimit, ...rest } = destination;
  const limit = rateLimit === undefined ? earlierLimit : (rateLimit ?? undefined);
  return {
    ...rest,
    ...(limit === undefined ? {} : { rateLimit: limit }),
    ...(receivers === undefined ? {} : { endpoints: endpointsOf(destination.id, receivers) }),
    ...(secret === undefined ? {} : { secrets: [createSecret(secret)] }),
    ...(is === "off" ? { enabled: false } : {}),
    ...(is === "paused" ? { paused: true } : {}),
    ...(is === "unconnected"
      ? { sources: destination.sources.filter(({ source }) => source !== SIMULATED_SOURCE) }
      : {}),
  };
}

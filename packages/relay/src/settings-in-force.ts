// The settings in force, indexed by destination and by source, and the pauses of operators beside them. All settings are replaced at
// once; a host can check and index them beforehand, in steps with other work in between (decisions: settings; reloads in slices).

import {
  type Destination,
  type DestinationId,
  type EndpointId,
  readEndpointUrl,
  type SourceId,
  type StaticHeader,
  type Workspace,
  type Problem,
} from "@postrider/core";
import { type Steps, checkWorkspaceInSteps, runSteps } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";

/** Look-ups of a workspace by destination and by source. Made once, never changed. */
interface SettingsIndex {
  readonly workspace: Workspace;
  readonly destinations: ReadonlyMap<DestinationId, DestinationInForce>;
  readonly connected: ReadonlyMap<SourceId, readonly Destination[]>;
}

/** A destination with the ids of its endpoints, in settings order, and the headers of each. */
export interface DestinationInForce {
  readonly destination: Destination;
  readonly endpoints: readonly EndpointId[];
  readonly headers: ReadonlyMap<EndpointId, readonly StaticHeader[]>;
}

/**
 * Settings without problems, and their index. Made only by `checkSettings` and `checkSettingsInSteps`; can be used for
 * any number of relays.
 */
export interface CheckedSettings extends SettingsIndex {
  readonly kind: "checked";
}

/** Checks settings. Returns settings that a relay can put into force at once, or all problems. */
export function checkSettings(workspace: Workspace): Result<CheckedSettings, readonly Problem[]> {
  return runSteps(checkSettingsInSteps(workspace));
}

/** Does the same as `checkSettings`, in steps of one source or one destination. */
export function* checkSettingsInSteps(workspace: Workspace): Steps<Result<CheckedSettings, readonly Problem[]>> {
  const problems = yield* checkWorkspaceInSteps(workspace);
  if (problems.length > 0) return err(problems);
  const index = yield* indexSettings(workspace);
  return ok({ kind: "checked", ...index });
}

/** Checks settings that are not checked yet. @internal */
export function demandChecked(settings: Workspace | CheckedSettings): Result<CheckedSettings, readonly Problem[]> {
  return "kind" in settings ? ok(settings) : checkSettings(settings);
}

/** Builds the index of a checked workspace, in steps of one destination. */
function* indexSettings(workspace: Workspace): Steps<SettingsIndex> {
  const destinations = new Map<DestinationId, DestinationInForce>();
  const connected = new Map<SourceId, Destination[]>();
  for (const destination of workspace.destinations) {
    destinations.set(destination.id, indexEndpoints(destination));
    connect(destination, connected);
    yield;
  }
  return { workspace, destinations, connected };
}

function connect(destination: Destination, connected: Map<SourceId, Destination[]>): void {
  for (const { source } of destination.sources) {
    const destinations = connected.get(source);
    if (destinations === undefined) connected.set(source, [destination]);
    else destinations.push(destination);
  }
}

function indexEndpoints(destination: Destination): DestinationInForce {
  const headers = new Map<EndpointId, readonly StaticHeader[]>();
  for (const endpoint of destination.endpoints) {
    const url = readEndpointUrl(endpoint.url);
    if (url.kind === "ok") headers.set(url.id, endpoint.headers);
  }
  return { destination, endpoints: [...headers.keys()], headers };
}

export interface SettingsInForce {
  workspace(): Workspace;
  destination(id: DestinationId): DestinationInForce | undefined;
  /** The destinations connected to a source, in settings order: a call of that source can go to these. */
  connectedTo(source: SourceId): readonly Destination[];
  /**
   * True if new messages are stored for this destination: it is in force and on. If the destination is paused, they
   * wait.
   */
  readonly isOn: (id: DestinationId) => boolean;
  /** True if deliveries of this destination may go out: it is in force, on, and neither the settings nor an operator pause it. */
  readonly isOpen: (id: DestinationId) => boolean;
  replace(index: SettingsIndex): void;
}

/** Holds the index of a checked workspace. */
export function createSettings(initial: SettingsIndex, pauses: Pick<OperatorPauses, "stops">): SettingsInForce {
  let { workspace, destinations, connected } = initial;

  return {
    workspace: (): Workspace => workspace,
    destination: (id): DestinationInForce | undefined => destinations.get(id),
    connectedTo: (source): readonly Destination[] => connected.get(source) ?? [],
    isOn: (id): boolean => destinations.get(id)?.destination.enabled === true,
    isOpen: (id): boolean => {
      const destination = destinations.get(id)?.destination;
      return destination !== undefined && destination.enabled && !destination.paused && !pauses.stops(id);
    },
    replace: (index): void => {
      ({ workspace, destinations, connected } = index);
    },
  };
}

export interface OperatorPauses {
  /** True if an operator has paused this lane, as far as is known. */
  has(lane: DestinationId): boolean;
  /** True if this lane must not send: an operator has paused it, or the store has not said yet which are paused. */
  stops(lane: DestinationId): boolean;
  add(lane: DestinationId): void;
  remove(lane: DestinationId): void;
  /**
   * To be called when the store is asked for all paused lanes. The returned function takes the answer, and returns whether
   * anything changes. It does not if a lane was added or removed meanwhile, which the answer may lack.
   */
  ask(): (lanes: readonly DestinationId[]) => boolean;
  /** The paused lanes, for the relay that takes over; undefined while they are unknown. */
  remember(): readonly DestinationId[] | undefined;
}

/**
 * `known`: the pauses that the former relay knew. If undefined, no lane may send until the store has said which are paused, since
 * any of them may be (decision: pauses of an operator).
 */
export function createOperatorPauses(known: readonly DestinationId[] | undefined): OperatorPauses {
  let paused: ReadonlySet<DestinationId> = new Set(known);
  let isKnown = known !== undefined;
  /** The number of times that a lane was added or removed. */
  let changes = 0;

  function change(lanes: Iterable<DestinationId>): void {
    changes += 1;
    paused = new Set(lanes);
  }

  return {
    has: (lane) => paused.has(lane),
    stops: (lane) => !isKnown || paused.has(lane),
    add: (lane): void => change([...paused, lane]),
    remove: (lane): void => change([...paused].filter((pausedLane) => pausedLane !== lane)),
    ask: () => {
      const changesAtAsk = changes;
      return (lanes) => {
        const isSame = isKnown && lanes.length === paused.size && lanes.every((lane) => paused.has(lane));
        if (isSame || changesAtAsk !== changes) return false;
        paused = new Set(lanes);
        isKnown = true;
        return true;
      };
    },
    remember: () => (isKnown ? [...paused] : undefined),
  };
}

// Creates a relay from its ports and settings: refuses wrong settings, and where the host asks for a record, makes each request
// an input of it (decision: traces).

import type { Problem, RecordedSegment, RelayRecorder } from "@postrider/core";
import { createOptionsError, defined } from "@postrider/core/engine";
import { ResultAsync } from "neverthrow";
import { type AssembledRelay, assembleRelay } from "./assemble-relay.js";
import { demandChecked } from "./settings-in-force.js";
import { createPassOn, isMeasurement } from "./create-emit.js";
import type { Relay, RelayOptions } from "./relay.js";
import type { RelayState } from "./relay-state.js";
import type { RelayEvent } from "./relay-event.js";
import type { ReplayJobs } from "./requests.js";

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

interface RecordedRelayParts {
  /** Creates a relay on these ports, which begins with this state. */
  readonly open: (options: RelayOptions, state?: RelayState) => AssembledRelay;
  readonly passOn: (event: RelayEvent) => void;
}

interface RecordedRelay {
  readonly relay: AssembledRelay;
  readonly segment: RecordedSegment;
  readonly retire: () => Promise<void>;
}

/** Passes a request of the host on to the current relay, as an input of the record. */
type AskRelay = <T, E>(
  method: keyof Relay,
  args: readonly unknown[],
  run: (relay: Relay) => ResultAsync<T, E>,
) => ResultAsync<T, E>;

/**
 * Creates a relay whose inputs go through `recorder`. When a segment of the record is long enough, a new relay takes over
 * in the same process, as a second process on the same store would, and the former one ends its work.
 */
export function createRecordedRelay(
  options: RelayOptions & { readonly recorder: RelayRecorder },
  { open, passOn }: RecordedRelayParts,
): Relay {
  let state: "new" | "started" | "stopped" = "new";
  /** Requests under way that concern the relay itself: while there are any, no other relay takes over. */
  let boundRequests = 0;
  /** Former relays that have not ended yet. */
  const endingRelays = new Set<Promise<void>>();
  let current = begin(options.workspace);

  function begin(workspace: RelayOptions["workspace"], known?: RelayState): RecordedRelay {
    const { recorder, laneBounds, pollMs, gatherMs, stallMs, syncBounds } = options;
    const numbers = defined({ laneBounds, pollMs, gatherMs, stallMs, syncBounds });
    const settings = { ...numbers, workspace: "kind" in workspace ? workspace.workspace : workspace };
    const retire = (): Promise<void> => segment.ask("retire", [], () => relay.retire());
    const segment = recorder.begin({ settings, ...defined({ state: known }) }, { renew, retire });
    const observe = (event: RelayEvent): void => {
      // The questions and answers that a measurement was made of are in the record.
      if (!isMeasurement(event)) segment.observe(event);
      passOn(event);
    };
    const instrumented = { ...numbers, ...segment.ports, workspace, observe };
    const relay = open(instrumented, segment.state as RelayState | undefined);
    return { relay, segment, retire };
  }

  function renew(): void {
    const former = current;
    if (state !== "started" || boundRequests > 0 || former.relay.health().kind !== "healthy") return;
    current = begin(former.relay.workspace(), former.relay.remember());
    start(current);
    const ended = former.retire().finally(() => endingRelays.delete(ended));
    endingRelays.add(ended);
  }

  function start({ segment, relay }: RecordedRelay): void {
    segment.tell("start", [], () => relay.start());
  }

  const ask: AskRelay = (method, args, run) => {
    const { segment, relay } = current;
    return new ResultAsync(segment.ask<Awaited<ReturnType<typeof run>>>(method, args, () => run(relay)));
  };

  /** For a sync, which would end with its relay, and a deletion, which recalls what its relay has claimed. */
  function bindToRelay<T, E>(request: ResultAsync<T, E>): ResultAsync<T, E> {
    boundRequests += 1;
    const leave = (): void => {
      boundRequests -= 1;
    };
    void request.then(leave, leave);
    return request;
  }

  function look<T>(run: (relay: Relay) => T): T {
    const { segment, relay } = current;
    return segment.look(() => run(relay));
  }

  return {
    accept: (arrival) => ask("accept", [arrival], (relay) => relay.accept(arrival)),
    configure: (next, adopted) => {
      const { segment, relay } = current;
      const workspace = "kind" in next ? next.workspace : next;
      return segment.tell("configure", adopted === undefined ? [workspace] : [workspace, adopted], () =>
        relay.configure(next, adopted),
      );
    },
    start: (): void => {
      if (state !== "new") return;
      state = "started";
      start(current);
    },
    stop: async (): Promise<void> => {
      state = "stopped";
      const { segment, relay } = current;
      await Promise.all([segment.ask("stop", [], () => relay.stop()), ...endingRelays]);
    },
    createAudience: (definition) => ask("createAudience", [definition], (relay) => relay.createAudience(definition)),
    setAudienceDestinations: (key, ids) =>
      ask("setAudienceDestinations", [key, ids], (relay) => relay.setAudienceDestinations(key, ids)),
    audiences: () => ask("audiences", [], (relay) => relay.audiences()),
    audience: (key) => ask("audience", [key], (relay) => relay.audience(key)),
    syncAudience: (key, members, syncOptions) =>
      bindToRelay(ask("syncAudience", [key], (relay) => relay.syncAudience(key, members, syncOptions))),
    requestDeletion: (request) =>
      bindToRelay(ask("requestDeletion", [request], (relay) => relay.requestDeletion(request))),
    deletion: (id) => ask("deletion", [id], (relay) => relay.deletion(id)),
    deletionRequests: (query) => ask("deletionRequests", [query], (relay) => relay.deletionRequests(query)),
    suppressed: (query) => ask("suppressed", [query], (relay) => relay.suppressed(query)),
    replay: (id) => ask("replay", [id], (relay) => relay.replay(id)),
    replayMany: (request) => ask("replayMany", [request], (relay) => relay.replayMany(request)),
    ...recordedReplayJobs(ask),
    forget: (destination) => ask("forget", [destination], (relay) => relay.forget(destination)),
    pause: (destination) => ask("pause", [destination], (relay) => relay.pause(destination)),
    resume: (destination) => ask("resume", [destination], (relay) => relay.resume(destination)),
    probe: (destination) => ask("probe", [destination], (relay) => relay.probe(destination)),
    test: (request) => ask("test", [request], (relay) => relay.test(request)),
    explain: (id) => ask("explain", [id], (relay) => relay.explain(id)),
    requests: (id) => ask("requests", [id], (relay) => relay.requests(id)),
    delivery: (id) => ask("delivery", [id], (relay) => relay.delivery(id)),
    deliveries: (query) => ask("deliveries", [query], (relay) => relay.deliveries(query)),
    userData: (query) => ask("userData", [query], (relay) => relay.userData(query)),
    seen: (query) => ask("seen", [query], (relay) => relay.seen(query)),
    stats: () => ask("stats", [], (relay) => relay.stats()),
    usage: () => ask("usage", [], (relay) => relay.usage()),
    ...recordedLooks(look),
  };
}

function recordedReplayJobs(ask: AskRelay): ReplayJobs {
  return {
    previewReplay: (filter) => ask("previewReplay", [filter], (relay) => relay.previewReplay(filter)),
    startReplay: (filter) => ask("startReplay", [filter], (relay) => relay.startReplay(filter)),
    cancelReplay: (id) => ask("cancelReplay", [id], (relay) => relay.cancelReplay(id)),
    replayJob: (id) => ask("replayJob", [id], (relay) => relay.replayJob(id)),
    replayJobs: () => ask("replayJobs", [], (relay) => relay.replayJobs()),
  };
}

/** Reads the state of the current relay, as an input of the record. */
type LookAtRelay = <T>(run: (relay: Relay) => T) => T;

function recordedLooks(look: LookAtRelay): Pick<Relay, "lanes" | "health" | "workspace" | "process"> {
  return {
    lanes: () => look((relay) => relay.lanes()),
    health: () => look((relay) => relay.health()),
    workspace: () => look((relay) => relay.workspace()),
    process: () => look((relay) => relay.process()),
  };
}

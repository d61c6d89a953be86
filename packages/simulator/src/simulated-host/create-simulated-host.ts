// A host in memory: the real relay with scripted receivers, a disk that survives a crash, a manual clock and seeded
// randomness. Hours pass in milliseconds, and the same seed gives the same run.

import type { EpochMs, Random, Workspace } from "@postrider/core";
import {
  createManualClock,
  createMemoryDisk,
  createMemoryStore,
  createScriptedHttp,
  createSeededRandom,
  type HttpScript,
  type ManualClock,
  type MemoryDisk,
  type RepliesByUrl,
  type ScriptedHttp,
  type SentRequest,
} from "@postrider/memory";
import { createRelay, type Relay, type RelayEvent } from "@postrider/relay";
import { createKillablePorts, type KillablePorts } from "./killable-ports.js";

/** The options of `createSimulatedHost`. */
export interface SimulatedHostOptions {
  readonly workspace: Workspace;
  /** The answers of receivers: for each URL its replies in turn, or a function of the request. */
  readonly receivers: HttpScript | RepliesByUrl;
  /** Any whole number; 1 if left out. */
  readonly seed?: number;
  /** The wall clock at the start; 2026-01-01T00:00:00Z if left out. */
  readonly wall?: EpochMs;
}

/** A process with a real relay, on a clock, a disk and a network in memory, that a test can kill. */
export interface SimulatedHost {
  readonly clock: ManualClock;
  /** The disk: open a store on it to see what it holds. */
  readonly disk: MemoryDisk;
  /** The relay of the running process. Throws while none runs. */
  relay(): Relay;
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
  /** Kills the process, whatever it is doing. */
  crash(): void;
  /**
   * Stops the process as an operator would, and resolves once open rounds are settled. While receivers have not
   * answered, this needs `advance`.
   */
  stop(): Promise<void>;
  /**
   * Starts a process on the same disk, with the given settings, or with the last ones of the previous process. Throws
   * if the settings are bad, or if a process runs.
   */
  restart(workspace?: Workspace): void;
  /** All requests that receivers got, oldest first. */
  received(): readonly SentRequest[];
  /** All events that the relays have reported. */
  events(): readonly RelayEvent[];
}

/** The parts that outlive a process. */
interface Surroundings {
  readonly clock: ManualClock;
  readonly disk: MemoryDisk;
  readonly random: Random;
  readonly http: ScriptedHttp;
  readonly events: RelayEvent[];
}

interface Process {
  readonly relay: Relay;
  readonly ports: KillablePorts;
}

/** Starts a host with one running process. Throws if the settings are bad. */
export function createSimulatedHost(options: SimulatedHostOptions): SimulatedHost {
  const surroundings = createSurroundings(options);
  let latestWorkspace = options.workspace;
  let currentProcess: Process | undefined = startProcess(surroundings, latestWorkspace);

  function expectRunning(): Process {
    if (currentProcess === undefined) throw new Error("no process runs on this host: call restart first");
    return currentProcess;
  }

  function endProcess(process: Process): void {
    latestWorkspace = process.relay.workspace();
    process.ports.kill();
    currentProcess = undefined;
  }

  return {
    clock: surroundings.clock,
    disk: surroundings.disk,
    relay: () => expectRunning().relay,
    advance: (ms) => surroundings.clock.advance(ms),
    crash: (): void => {
      endProcess(expectRunning());
    },
    stop: async (): Promise<void> => {
      const process = expectRunning();
      await process.relay.stop();
      endProcess(process);
    },
    restart: (workspace): void => {
      if (currentProcess !== undefined) throw new Error("a process runs on this host: crash or stop it first");
      currentProcess = startProcess(surroundings, workspace ?? latestWorkspace);
    },
    received: () => surroundings.http.requests(),
    events: () => surroundings.events,
  };
}

function createSurroundings({ receivers, seed = 1, wall }: SimulatedHostOptions): Surroundings {
  const clock = createManualClock(wall === undefined ? {} : { wall });
  return {
    clock,
    disk: createMemoryDisk(),
    random: createSeededRandom(seed),
    http: createScriptedHttp({ clock, script: receivers }),
    events: [],
  };
}

function startProcess({ clock, disk, random, http, events }: Surroundings, workspace: Workspace): Process {
  const ports = createKillablePorts({ clock, store: createMemoryStore({ disk }), http });
  const observe = (event: RelayEvent): void => {
    events.push(event);
  };
  const { store, http: killableHttp, clock: killableClock } = ports;
  // With `gatherMs` 0, commits do not wait for further calls, so a receipt comes without advancing the clock.
  const options = { workspace, store, http: killableHttp, clock: killableClock, random, observe, gatherMs: 0 };
  const relay = createRelay(options);
  relay.start();
  return { relay, ports };
}

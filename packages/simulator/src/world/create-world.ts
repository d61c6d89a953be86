// A world in memory: the real relay between scripted receivers, a disk that survives it, a clock that moves when told
// and chance that repeats itself. Hours pass in milliseconds, and the same seed gives the same story.

import type { EpochMs, Problem, Random, Workspace } from "@postrider/core";
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
import { createMortalPorts, type MortalPorts } from "./mortal-ports.js";

export interface WorldOptions {
  readonly workspace: Workspace;
  /** How receivers answer: for each URL its replies in turn, or a function of the request. */
  readonly receivers: HttpScript | RepliesByUrl;
  /** Any whole number; 1 if left out. */
  readonly seed?: number;
  /** What the wall clock shows first; 2026-01-01T00:00:00Z if left out. */
  readonly wall?: EpochMs;
}

export interface World {
  readonly clock: ManualClock;
  /** What lies on the disk: open a store of your own on it to look. */
  readonly disk: MemoryDisk;
  /** The relay of the process that runs; it delivers. Throws while none runs. */
  relay(): Relay;
  /** Lets time pass for all. */
  advance(ms: number): Promise<void>;
  /** Kills the process, whatever it is in the middle of. */
  crash(): void;
  /** Ends the process as an operator would: open rounds settle. Let time pass if receivers take theirs. */
  stop(): Promise<void>;
  /**
   * Starts a process on what the one before has left behind. With the settings in force when that ended, unless others
   * are given. Throws if they are bad, or if a process runs.
   */
  restart(workspace?: Workspace): void;
  /** All requests that receivers have seen, in their order. */
  received(): readonly SentRequest[];
  /** All that the relays have told. */
  events(): readonly RelayEvent[];
}

/** What is there whether a process runs or not. */
interface Surroundings {
  readonly clock: ManualClock;
  readonly disk: MemoryDisk;
  readonly random: Random;
  readonly http: ScriptedHttp;
  readonly events: RelayEvent[];
}

interface Process {
  readonly relay: Relay;
  readonly ports: MortalPorts;
}

/** Makes a world in which one process runs. Throws if the settings are bad. */
export function createWorld(options: WorldOptions): World {
  const around = surround(options);
  let inForce = options.workspace;
  let running: Process | undefined = startProcess(around, inForce);

  function expectRunning(): Process {
    if (running === undefined) throw new Error("no process runs in this world: restart it first");
    return running;
  }

  function leave(process: Process): void {
    inForce = process.relay.workspace();
    process.ports.kill();
    running = undefined;
  }

  return {
    clock: around.clock,
    disk: around.disk,
    relay: () => expectRunning().relay,
    advance: (ms) => around.clock.advance(ms),
    crash: (): void => {
      leave(expectRunning());
    },
    stop: async (): Promise<void> => {
      const process = expectRunning();
      await process.relay.stop();
      leave(process);
    },
    restart: (workspace): void => {
      if (running !== undefined) throw new Error("a process runs in this world: crash or stop it first");
      running = startProcess(around, workspace ?? inForce);
    },
    received: () => around.http.requests(),
    events: () => around.events,
  };
}

function surround({ receivers, seed = 1, wall }: WorldOptions): Surroundings {
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
  const ports = createMortalPorts({ clock, store: createMemoryStore({ disk }), http });
  const observe = (event: RelayEvent): void => {
    events.push(event);
  };
  const { store, http: mortalHttp, clock: mortalClock } = ports;
  // Nothing waits for company: whoever awaits a receipt need not let time pass.
  const options = { workspace, store, http: mortalHttp, clock: mortalClock, random, observe, gatherMs: 0 };
  const created = createRelay(options);
  const relay = created.match((made) => made, refuse);
  relay.start();
  return { relay, ports };
}

function refuse(problems: readonly Problem[]): never {
  const lines = problems.map(({ code, path, expected }) => `${path}: ${code}, expected ${expected}`);
  throw new Error(`these settings are bad:\n${lines.join("\n")}`);
}

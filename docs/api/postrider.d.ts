// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `postrider` exports.

import type { Config } from "@postrider/codec";
import type { Clock, Problem, ProblemCode, Random } from "@postrider/core";
import type { Logger, RelayEvent } from "@postrider/relay";

export interface ConfigProblem {
  readonly code: ProblemCode | "unreadable" | "bad-json" | "bad-certificate";
  readonly path: string;
  readonly expected: string;
}

export type ConfigureResult =
  | {
      readonly kind: "configured" | "superseded" | "stopped";
    }
  | {
      readonly kind: "refused";
      readonly problems: readonly Problem[];
    };

export interface HttpLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly checkIntervalMs: number;
  readonly handleCheckMs: number;
  readonly keepAliveMs: number;
  readonly idleMs: number;
  readonly maxHeaderBytes: number;
  readonly maxHeaders: number;
  readonly maxPipelined: number;
  readonly maxConnections: number;
  readonly maxKeylessPerNetwork: number;
  readonly maxAcceptedInRow: number;
  readonly maxPromptPerNetwork: number;
  readonly maxStartsPerTick: number;
}

export type ReadConfigResult =
  | {
      readonly kind: "ok";
      readonly config: Config;
    }
  | {
      readonly kind: "refused";
      readonly problems: readonly ConfigProblem[];
    };

export interface RunningServer {
  readonly url: string;
  config(): Config;
  configure(config: Config): readonly Problem[];
  configureInSlices(config: Config): Promise<ConfigureResult>;
  stop(): Promise<StopResult>;
  abandon(): Promise<StopResult>;
}

export interface ServerOptions {
  readonly config: Config;
  readonly port?: number;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe?: (event: RelayEvent) => void;
  readonly limits?: Partial<HttpLimits>;
}

export type StartFault = "store-unusable" | "config-refused" | "port-taken" | "cannot-listen";

export type StartResult =
  | {
      readonly kind: "ok";
      readonly server: RunningServer;
    }
  | {
      readonly kind: "refused";
      readonly code: StartFault;
      readonly reason: string;
    };

export type StopResult = "ended" | "store-left";

export declare function createJsonLogger(clock: Clock, write: (line: string) => void): Logger;

export declare function readConfig(file: string, env: Environment): ReadConfigResult;

export declare function readConfigInSlices(
  file: string,
  env: Environment,
  clock: Pick<Clock, "after">,
): Promise<ReadConfigResult>;

export declare function startServer(options: ServerOptions): Promise<StartResult>;

// Not exported by name, but part of what is.

type Environment = (name: string) => string | undefined;

export {};

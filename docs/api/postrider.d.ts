// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `postrider` exports.

import type {
  AudienceStore,
  Clock,
  DeliveryStore,
  HttpPort,
  Problem,
  ProblemCode,
  Random,
  Receipt,
  RecordablePorts,
  RelayRecorder,
  RunStatement,
  Secret,
} from "@postrider/core";
import type { AliasInput, GroupInput, IdentifyInput, PageInput, ScreenInput, TrackInput } from "@postrider/core/batch";
import type { NodeListener, WebHandler } from "@postrider/http";
import type { CertificateOutcome, Reload } from "@postrider/http/api";
import type { Health, Logger, Relay, RelayEvent } from "@postrider/relay";
import type { TracingApi } from "@postrider/relay/metrics";
import type { Config, ConfigFile } from "@postrider/relay/settings";

export type CallAnswer =
  | Receipt
  | {
      readonly kind: "unknown-source" | "unavailable" | "corrupt" | "stopped";
    };

export interface ConfigProblem {
  readonly code: ProblemCode | "unreadable" | "bad-json" | "bad-certificate";
  readonly path: string;
  readonly expected: string;
}

export type ConfigureResult =
  | {
      readonly kind: "configured";
    }
  | {
      readonly kind: "superseded" | "stopped";
    }
  | {
      readonly kind: "refused";
      readonly problems: readonly ConfigProblem[];
    };

export interface HttpLimits {
  readonly handshakeTimeoutMs: number;
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

export type OutboxCalls<SourceName extends string = string> = TypedCalls<SourceName, OutboxAnswer>;

export interface Postrider<SourceName extends string = string> extends SourceCalls<SourceName> {
  with(run: RunStatement): OutboxCalls<SourceName>;
  readonly nodeListener: NodeListener;
  readonly fetch: WebHandler;
  readonly relay: Relay;
  health(): Health;
  configure(settings: PostriderSettings): Promise<void>;
  observe(listener: (event: RelayEvent) => void): () => void;
  saveTrace(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface PostriderOptions<SourceName extends string = string> extends PostriderSettings<SourceName> {
  readonly store?: string | DeliveryStore | StoresToOpen;
  readonly audiences?: AudienceStore;
  readonly http?: HttpPort;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly observe?: (event: RelayEvent) => void;
  readonly opentelemetry?: TracingApi;
  readonly record?: RecordToFile;
  readonly basePath?: string;
  readonly closeMs?: number;
}

export interface PostriderSettings<SourceName extends string = string> extends Omit<
  ConfigFile,
  "listen" | "store" | "sources"
> {
  readonly sources?: readonly (NonNullable<ConfigFile["sources"]>[number] & {
    readonly id: SourceName;
  })[];
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

export interface RunningServer extends SourceCalls {
  readonly url: string;
  consoleUrl(): string | undefined;
  readonly relay: Relay;
  health(): Health;
  config(): Config;
  configure(config: Config): readonly Problem[];
  configureInSlices(config: Config): Promise<ConfigureResult>;
  rereadCertificate(): CertificateOutcome | undefined;
  stop(): Promise<StopResult>;
  abandon(): Promise<StopResult>;
}

export interface ServerOptions {
  readonly config: Config;
  readonly roles?: Roles;
  readonly port?: number;
  readonly tls?: TlsFiles;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe?: (event: RelayEvent) => void;
  readonly opentelemetry?: TracingApi;
  readonly record?: (ports: RecordablePorts) => RelayRecorder;
  readonly reload?: Reload;
  readonly references?: References;
  readonly limits?: Partial<HttpLimits>;
}

export interface SourceCalls<SourceName extends string = string> extends TypedCalls<SourceName, CallAnswer> {
  accept(source: SourceName, calls: readonly unknown[]): Promise<readonly CallAnswer[]>;
}

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

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export declare function createJsonLogger(clock: Clock, write: (line: string) => void): Logger;

export declare function createPostrider<const SourceName extends string>(
  options: PostriderOptions<SourceName>,
): Promise<Postrider<SourceName>>;

export declare function readConfig(file: string, env: Environment): ReadConfigResult;

export declare function readConfigInSlices(
  file: string,
  env: Environment,
  clock: Pick<Clock, "after">,
): Promise<ReadConfigResult>;

export declare function startServer(options: ServerOptions): Promise<StartResult>;

// Not exported by name, but part of what is.

type Environment = (name: string) => string | undefined;

type OutboxAnswer =
  | {
      readonly kind: "written";
      readonly messageId: string;
    }
  | Extract<
      Receipt,
      {
        readonly kind: "refused";
      }
    >
  | {
      readonly kind: "unknown-source";
    };

interface RecordToFile {
  readonly path: string;
  readonly megabytes?: number;
}

interface References {
  readonly folder: string;
  readonly env: (name: string) => string | undefined;
  readonly guarded?: () => readonly Secret[];
}

interface Roles {
  readonly accepts: boolean;
  readonly delivers: boolean;
}

type StartFault = "certificate-refused" | "store-unusable" | "config-refused" | "port-taken" | "cannot-listen";

interface StoresToOpen {
  open(ports: { readonly clock: Clock }): Promise<{
    readonly store: DeliveryStore;
    readonly audiences?: AudienceStore;
    close(): Promise<void>;
  }>;
}

interface TypedCalls<SourceName extends string, Answer> {
  identify(source: SourceName, call: IdentifyInput): Promise<Answer>;
  track(source: SourceName, call: TrackInput): Promise<Answer>;
  page(source: SourceName, call: PageInput): Promise<Answer>;
  screen(source: SourceName, call: ScreenInput): Promise<Answer>;
  group(source: SourceName, call: GroupInput): Promise<Answer>;
  alias(source: SourceName, call: AliasInput): Promise<Answer>;
}

export {};

// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/relay/settings` exports.

import type {
  Call,
  CallKind,
  DeliveryPolicy,
  EpochMs,
  Fault,
  JsonObject,
  NotificationKind,
  Problem,
  Refusal,
  Retention,
  Secret,
  Workspace,
} from "@postrider/core";
import type { CheckedCall, RefusedCall, SharedObjects, Steps } from "@postrider/core/engine";

export interface Batch {
  readonly calls: readonly unknown[];
  readonly context?: JsonObject;
  readonly integrations?: JsonObject;
  readonly sentAt?: EpochMs;
  readonly isSentAtUnread?: true;
  readonly writeKey?: string;
}

export type BatchRefusalCode = "bad-batch" | "empty-batch" | "too-many-calls";

export declare const CONFIG_VERSION = 1;

export interface Config {
  readonly workspace: Workspace;
  readonly server: ServerSettings;
  readonly written?: JsonObject;
}

export type ConfigFile = WorkspaceFile & ServerFile;

export type Decoded<T> =
  | {
      readonly kind: "ok";
      readonly value: T;
    }
  | {
      readonly kind: "refused";
      readonly problems: readonly Problem[];
    };

export declare const HIDDEN_TEXT = "(hidden)";

export interface NetworkSettings {
  readonly allow: readonly string[];
  readonly ca: readonly string[];
  readonly maxConnectionAgeMs: number;
}

export interface ParseLimits {
  readonly levels?: number;
  readonly length?: number;
}

export type ParsedJson =
  | {
      readonly kind: "ok";
      readonly value: unknown;
    }
  | {
      readonly kind: "refused";
      readonly reason: "bad-json" | "too-deep";
    };

export type ReceivedCall =
  | {
      readonly kind: "ok";
      readonly call: CheckedCall;
      readonly context: string | undefined;
      readonly cost: number;
      readonly imprecise: readonly string[] | undefined;
      readonly unread: readonly string[] | undefined;
    }
  | {
      readonly kind: "refused";
      readonly refusal: Refusal;
      readonly cost: number;
    };

export interface ReferenceReader {
  env(name: string): string | undefined;
  file(path: string): string | undefined;
}

export declare const STORE_FAULT_KINDS: readonly ["busy", "full", "slow", "unavailable"];

export interface Scenario {
  readonly seed: number;
  readonly wallAtStart: number;
  readonly policy: Partial<DeliveryPolicy>;
  readonly load: ScenarioLoad;
  readonly receivers: Readonly<Record<string, readonly ScenarioReceiver[]>>;
  readonly faults: readonly ScenarioFault[];
}

export interface ScenarioDowntime {
  readonly atMs: number;
  readonly downMs: number;
}

export interface ScenarioErrors {
  readonly errors: number;
  readonly poisoned: number;
  readonly bears?: number;
}

export type ScenarioFault =
  | ({
      readonly kind: "crash";
    } & ScenarioDowntime)
  | ({
      readonly kind: "stop";
    } & ScenarioDowntime)
  | {
      readonly kind: "clock-step";
      readonly atMs: number;
      readonly byMs: number;
    }
  | ({
      readonly kind: "store";
      readonly ails: StoreFaultKind;
    } & ScenarioStretch)
  | ({
      readonly kind: "closed";
      readonly destination: string;
      readonly how: "off" | "paused";
    } & ScenarioStretch);

export interface ScenarioLoad {
  readonly calls: number;
  readonly overMs: number;
  readonly perArrival: number;
}

export interface ScenarioStretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface SecretPlace {
  readonly kind: "secret" | "header" | "url";
  readonly owner: string;
  readonly path: string;
}

export interface ServerSettings {
  readonly listen: {
    readonly host: string;
    readonly port: number;
  };
  readonly store: StoreLocation;
  readonly settings: SettingsOwner;
  readonly sealingKeys?: readonly Secret[];
  readonly settingsReferences?: readonly string[];
  readonly apiToken?: Secret;
  readonly metricsToken?: Secret;
  readonly viewerToken?: Secret;
  readonly console: boolean;
  readonly trustedProxies?: readonly string[];
  readonly senderThread: boolean;
  readonly network: NetworkSettings;
}

export type StoreFaultKind = (typeof STORE_FAULT_KINDS)[number];

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export declare function decodeBatch(value: unknown): DecodedBatch;

export declare function decodeCall(value: unknown, kind?: CallKind): DecodedCall;

export declare function decodeConfig(value: unknown): Decoded<Config>;

export declare function decodeConfigInSteps(value: unknown): Steps<Decoded<Config>>;

export declare function decodeScenario(value: unknown): Decoded<Scenario>;

export declare function decodeWorkspace(value: unknown): Decoded<Workspace>;

export declare function decodeWorkspaceInSteps(value: unknown): Steps<Decoded<Workspace>>;

export declare function expandReferences(value: unknown, read: ReferenceReader): Decoded<unknown>;

export declare function expandReferencesInSteps(value: unknown, read: ReferenceReader): Steps<Decoded<unknown>>;

export declare function findHiddenTextsInSteps(document: unknown): Steps<readonly Problem[]>;

export declare function findJsonFault(text: string): TextPosition | undefined;

export declare function findJsonFaultInSteps(text: string): Steps<TextPosition | undefined>;

export declare function findTooDeep(value: unknown, levels: number): string | undefined;

export declare function findUnsharedTextsInSteps(
  document: unknown,
  allowedNames?: readonly string[],
): Steps<readonly Problem[]>;

export declare function hideSecretTextsInSteps(document: unknown): Steps<unknown>;

export declare function isSealed(text: string): boolean;

export declare function mapSecretTextsInSteps(
  document: unknown,
  map: (text: string, place: SecretPlace) => string,
): Steps<unknown>;

export declare function nearestKey(key: string, known: readonly string[]): string | undefined;

export declare function parseJsonInSteps(text: string, { levels, length }?: ParseLimits): Steps<ParsedJson>;

export declare function readReceivedCall(written: JsonObject, kind?: CallKind, shared?: SharedObjects): ReceivedCall;

// Not exported by name, but part of what is.

type ConnectionEntry =
  | string
  | {
      readonly source: string;
      readonly mode?: "cloud" | "device";
    };

type DecodedBatch =
  | {
      readonly kind: "ok";
      readonly batch: Batch;
    }
  | {
      readonly kind: "refused";
      readonly code: BatchRefusalCode;
      readonly path: string;
      readonly expected: string;
    };

type DecodedCall =
  | {
      readonly kind: "ok";
      readonly call: Call;
      readonly unread?: readonly string[] | undefined;
    }
  | RefusedCall;

type DeliveryEntry = Partial<DeliveryPolicy>;

interface DestinationEntry {
  readonly id: string;
  readonly sources: readonly ConnectionEntry[];
  readonly endpoints: readonly EndpointEntry[];
  readonly name?: string;
  readonly enabled?: boolean;
  readonly paused?: boolean;
  readonly acceptsHistorical?: boolean;
  readonly sharedSecret?: string | readonly string[];
  readonly standardWebhooks?: boolean;
  readonly rateLimit?: RateLimitEntry;
}

interface EndpointEntry {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface NotifyEntry extends EndpointEntry {
  readonly sharedSecret?: string | readonly string[];
  readonly standardWebhooks?: boolean;
  readonly on?: readonly NotificationKind[];
}

interface RateLimitEntry {
  readonly perSecond: number;
  readonly burst?: number;
}

interface ScenarioAnswer {
  readonly kind: "answers";
  readonly status: number;
  readonly afterMs: number;
  readonly retryAfter?: string;
}

type ScenarioBehaviour =
  | ScenarioAnswer
  | ({
      readonly kind: "troubled";
      readonly usually: ScenarioAnswer;
    } & ScenarioErrors)
  | {
      readonly kind: "fails";
      readonly fault: Fault;
      readonly afterMs: number;
    }
  | {
      readonly kind: "hangs";
    };

interface ScenarioReceiver {
  readonly usually: ScenarioBehaviour;
  readonly spreadMs: number;
  readonly spells: readonly (ScenarioStretch & {
    readonly behaviour: ScenarioBehaviour;
  })[];
}

interface ServerFile {
  readonly $schema?: string;
  readonly listen?: {
    readonly host?: string;
    readonly port?: number;
  };
  readonly store?: string;
  readonly settings?: SettingsOwner;
  readonly sealingKeys?: readonly string[];
  readonly settingsReferences?: readonly string[];
  readonly apiToken?: string;
  readonly metricsToken?: string;
  readonly viewerToken?: string;
  readonly console?: boolean;
  readonly trustedProxies?: readonly string[];
  readonly senderThread?: boolean;
  readonly network?: {
    readonly allow?: readonly string[];
    readonly ca?: readonly string[];
    readonly maxConnectionAgeMs?: number;
  };
}

type SettingsOwner = "file" | "store";

interface SourceEntry {
  readonly id: string;
  readonly writeKey: string;
  readonly name?: string;
  readonly rateLimit?: RateLimitEntry;
  readonly addsIp?: boolean;
}

type StoreLocation =
  | {
      readonly kind: "memory";
    }
  | {
      readonly kind: "sqlite";
      readonly path: string;
    }
  | {
      readonly kind: "postgres";
      readonly url: Secret;
    };

interface WorkspaceFile {
  readonly sources?: readonly SourceEntry[];
  readonly destinations?: readonly DestinationEntry[];
  readonly delivery?: DeliveryEntry;
  readonly retention?: Partial<Retention>;
  readonly notify?: readonly NotifyEntry[];
}

export {};

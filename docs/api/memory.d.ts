// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/memory` exports.

import type {
  AudienceStore,
  CallStorage,
  Clock,
  DeliveryStore,
  EndpointId,
  EpochMs,
  Fault,
  Header,
  HttpPort,
  MonoMs,
  Random,
  RunStatement,
} from "@postrider/core";

export declare const DEFAULT_AUDIENCE_BOUNDS: MemoryAudienceStoreBounds;

export declare const DEFAULT_MEMORY_STORE_BOUNDS: MemoryStoreBounds;

export type HttpScript = (request: SentRequest) => ScriptedReply;

export interface ManualClock extends Clock {
  advance(ms: number): Promise<void>;
  stepWall(ms: number): void;
  settle(): Promise<void>;
  nextTimerAt(): MonoMs | undefined;
}

export interface ManualClockOptions {
  readonly wall?: EpochMs;
  readonly settle?: () => Promise<void>;
}

export interface MemoryAudienceStoreBounds {
  readonly maxAudiences: number;
  readonly maxMembers: number;
}

export interface MemoryAudienceStoreOptions {
  readonly disk?: MemoryDisk;
  readonly bounds?: Partial<MemoryAudienceStoreBounds>;
}

export interface MemoryCallStorageOptions {
  readonly maxCalls?: number;
}

export interface MemoryDisk {
  readonly kind: "memory-disk";
}

export interface MemoryStoreBounds {
  readonly maxDeliveries: number;
  readonly maxBytes: number;
  readonly maxMessageIds: number;
  readonly maxUsers: number;
  readonly maxDeletions: number;
  readonly maxRecords: number;
  readonly maxBoardRows: number;
  readonly maxOutboxCalls: number;
}

export interface MemoryStoreOptions {
  readonly disk?: MemoryDisk;
  readonly bounds?: Partial<MemoryStoreBounds>;
  readonly clock?: Pick<Clock, "wall">;
  readonly shared?: boolean;
  readonly outbox?: boolean;
  readonly hints?: boolean;
}

export interface MemoryTransaction {
  readonly run: RunStatement;
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
}

export type RepliesByUrl = Readonly<Record<string, ScriptedReply | readonly ScriptedReply[]>>;

export interface ScriptedHttp extends HttpPort {
  requests(): readonly SentRequest[];
}

export interface ScriptedHttpOptions {
  readonly clock: Clock;
  readonly script: HttpScript | RepliesByUrl;
}

export type ScriptedReply =
  | {
      readonly kind: "answers";
      readonly status: number;
      readonly afterMs?: number;
      readonly retryAfter?: string;
      readonly excerpt?: Uint8Array;
    }
  | {
      readonly kind: "fails";
      readonly fault: Fault;
      readonly afterMs?: number;
    }
  | {
      readonly kind: "hangs";
    };

export interface SentRequest {
  readonly url: EndpointId;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  readonly sentAt: EpochMs;
  readonly index: number;
}

export declare function beginMemoryTransaction(disk: MemoryDisk): MemoryTransaction;

export declare function createManualClock(options?: ManualClockOptions): ManualClock;

export declare function createMemoryAudienceStore(options?: MemoryAudienceStoreOptions): AudienceStore;

export declare function createMemoryCallStorage({ maxCalls }?: MemoryCallStorageOptions): CallStorage;

export declare function createMemoryDisk(): MemoryDisk;

export declare function createMemoryStore(options?: MemoryStoreOptions): DeliveryStore;

export declare function createScriptedHttp({ clock, script }: ScriptedHttpOptions): ScriptedHttp;

export declare function createSeededRandom(seed: number): Random;

export {};

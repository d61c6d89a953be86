// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/testkit/contracts` exports.

import type {
  AudienceStore,
  CallStorage,
  Clock,
  DeliveryStore,
  EpochMs,
  HttpPort,
  RunStatement,
  StoreErrorCode,
} from "@postrider/core";

export interface AudienceStoreHarness {
  open(): Promise<AudienceStore>;
  openCramped?(): Promise<AudienceStore>;
  openGated?(gate: StorageGate): Promise<AudienceStore>;
  readonly supports: AudienceStoreSupport;
}

export interface AudienceStoreSupport {
  readonly restart: Supported;
  readonly sharing: Supported;
  readonly full?: Supported;
  readonly interleaving?: Supported;
  readonly faults?: Supported;
}

export interface CallStorageHarness {
  open(name: string, maxCalls?: number): Promise<CallStorage>;
  readonly supports: CallStorageSupport;
}

export interface CallStorageSupport {
  readonly restart: Supported;
}

export interface ContractCase {
  readonly name: string;
  readonly skipped?: string;
  readonly run: () => Promise<void>;
}

export interface ContractOptions {
  readonly only?: RegExp;
}

export interface DeliveryStoreHarness {
  open(): Promise<DeliveryStore>;
  now(): EpochMs;
  advance(ms: number): Promise<void>;
  openGated?(gate: StorageGate): Promise<DeliveryStore>;
  openCramped?(): Promise<DeliveryStore>;
  openWithClock?(): Promise<DeliveryStore>;
  openDamaged?(): Promise<DeliveryStore>;
  beginTransaction?(): Promise<HostTransaction>;
  awaitHint?(): Promise<void>;
  openWithEnd?(): Promise<StoreWithEnd>;
  readonly supports: DeliveryStoreSupport;
}

export interface DeliveryStoreSupport {
  readonly restart: Supported;
  readonly sharing: Supported;
  readonly days: Supported;
  readonly full?: Supported;
  readonly settlingWhenFull?: Supported;
  readonly deletions?: Supported;
  readonly records?: Supported;
  readonly laneChanges?: Supported;
  readonly board?: Supported;
  readonly clock?: Supported;
  readonly exactSweeps?: Supported;
  readonly traceparents?: Supported;
  readonly interleaving?: Supported;
  readonly faults?: Supported;
  readonly damage?: Supported;
  readonly outbox?: Supported;
  readonly hints?: Supported;
  readonly onEnd?: Supported;
}

export interface HarnessError extends Error {
  readonly name: "HarnessError";
}

export interface HostTransaction {
  readonly run: RunStatement;
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
}

export interface HttpAdapterOptions {
  readonly clock: Clock;
  readonly ca: readonly string[];
  readonly allow: readonly string[];
  readonly names?: (host: string) => Promise<readonly string[]>;
}

export interface HttpHarness {
  create(options: HttpAdapterOptions): TestedHttp;
  clock(): Clock;
  readonly supports: HttpSupport;
}

export interface HttpSupport {
  readonly exactHeaders: ExactHeaders;
  readonly emptyQueries: Supported;
  readonly everyStatus: Supported;
  readonly rawAnswers: Supported;
  readonly statusLines: Supported;
  readonly boundedFraming: Supported;
  readonly socketFaults: Supported;
  readonly certificateFaults: Supported;
  readonly authorities: Supported;
  readonly strictTls: Supported;
  readonly vettedAddresses: Supported;
  readonly ownResolver: Supported;
  readonly ownConnections: Supported;
  readonly close: Supported;
}

export interface ModelContractOptions {
  readonly runs?: number;
  readonly seed?: number;
}

export interface StorageGate {
  pass<T>(access: () => Promise<T>, isBlocked?: () => Promise<boolean>): Promise<T>;
  fault(at: "before" | "after"): StoreErrorCode | undefined;
  readonly died: Promise<void>;
}

export interface StoreWithEnd {
  readonly store: DeliveryStore;
  readonly end: () => Promise<void>;
}

export type Supported =
  | true
  | {
      readonly reason: string;
    };

export declare function audienceStoreContract(
  harness: AudienceStoreHarness,
  options?: ContractOptions,
): readonly ContractCase[];

export declare function callStorageContract(
  harness: CallStorageHarness,
  options?: ContractOptions,
): readonly ContractCase[];

export declare function deliveryStoreContract(
  harness: DeliveryStoreHarness,
  options?: ContractOptions,
): readonly ContractCase[];

export declare function deliveryStoreModelContract(
  create: () => DeliveryStoreHarness,
  options?: ModelContractOptions,
): readonly ContractCase[];

export declare function httpContract(harness: HttpHarness): readonly ContractCase[];

export declare function isHarnessError(error: unknown): error is HarnessError;

export declare function supportsNothing(reason: string): Required<DeliveryStoreSupport>;

// Not exported by name, but part of what is.

type ExactHeaders =
  | true
  | {
      readonly reason: string;
      readonly adds?: readonly string[];
    };

type TestedHttp = HttpPort & {
  close?(): Promise<void>;
};

export {};

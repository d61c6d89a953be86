// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/api` exports.

import type { Clock, Problem, Secret } from "@postrider/core";
import type { Handler, RequestHead } from "@postrider/http";
import type { Audiences, Deletions, Relay } from "@postrider/relay";

export type ApiCode = (typeof API_CODES)[number];

export interface ApiOptions {
  readonly relay: ApiRelay;
  readonly apiToken?: Secret | (() => Secret | undefined);
  readonly clock?: Pick<Clock, "monotonic">;
  readonly onWrongToken?: () => void;
  readonly held?: () => CallerUsage;
  readonly reload?: Reload;
  readonly fault?: () => string | undefined;
}

export interface CallerUsage {
  readonly connections: number;
  readonly requests: number;
  readonly reading: number;
  readonly bytes: number;
  readonly keylessBytes: number;
}

export interface DeliveryJson {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly source: string;
  readonly destination: string;
  readonly type: string;
  readonly messageId: string;
  readonly acceptedAt: string;
  readonly dueAt: string | null;
  readonly attemptCount: number;
  readonly replayOf: string | null;
}

export type Reload = () => Promise<ReloadOutcome>;

export type ReloadOutcome =
  | {
      readonly kind: "configured";
      readonly sources: number;
      readonly destinations: number;
      readonly needsRestart: readonly string[];
    }
  | {
      readonly kind: "refused";
      readonly problems: readonly ReloadProblem[];
    }
  | {
      readonly kind: "stopped" | "superseded";
    };

export interface ReloadProblem extends Omit<Problem, "code"> {
  readonly code: string;
}

export declare function createApi({ relay, apiToken, held, reload, fault, clock, onWrongToken }: ApiOptions): Handler;

export declare function isUpload(head: RequestHead): boolean;

// Not exported by name, but part of what is.

declare const API_CODES: readonly [
  "bad-query",
  "bad-replay",
  "bad-deletion",
  "bad-audience",
  "bad-members",
  "bad-config",
  "api-off",
  "unauthorized",
  "rate-limited",
  "not-found",
  "method-not-allowed",
  "bad-json",
  "too-deep",
  "too-large",
  "store-unavailable",
  "not-supported",
  "not-finished",
  "purged",
  "destination-removed",
  "key-taken",
  "sync-running",
  "would-remove",
];

type ApiRelay = Pick<
  Relay,
  "delivery" | "deliveries" | "health" | "replay" | "replayMany" | "seen" | "usage" | "workspace"
> &
  Audiences &
  Deletions;

export {};

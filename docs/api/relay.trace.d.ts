// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/relay/trace` exports.

import type { EpochMs, Fault, MonoMs, RecordablePorts, RelayRecorder, Workspace } from "@postrider/core";

export interface Happening {
  readonly wallAt: number;
  readonly segment: number;
  readonly event: unknown;
}

export interface RecordOptions {
  readonly maxBytes?: number;
  readonly bodies?: TraceBodies;
}

export interface Recording<Ports extends RecordablePorts = RecordablePorts> {
  readonly ports: Ports & {
    readonly recorder: RelayRecorder;
  };
  readonly saveTrace: () => Promise<Uint8Array>;
}

export interface ReplayTraceOptions {
  readonly change?: (recorded: Workspace) => Workspace;
}

export type ReplayedRelay = object;

export interface RepliesOptions {
  readonly delivery?: string;
}

export interface Trace {
  readonly version: typeof TRACE_VERSION;
  readonly bodies: TraceBodies;
  readonly segments: readonly TraceSegment[];
  readonly isCut: boolean;
}

export interface TraceError extends Error {
  readonly code: TraceErrorCode;
}

export interface TraceReplay {
  readonly happenings: (delivery?: string) => readonly Happening[];
  readonly diverged: Departure | undefined;
  readonly unplayed: readonly string[];
  readonly turns: number;
}

export declare function readTrace(file: string | Uint8Array): Promise<Trace>;

export declare function recordPorts<Ports extends RecordablePorts>(
  ports: Ports,
  { maxBytes, bodies }?: RecordOptions,
): Recording<Ports>;

export declare function replayTrace(
  trace: Trace,
  create: (ports: ReplayPorts) => ReplayedRelay,
  { change }?: ReplayTraceOptions,
): Promise<TraceReplay>;

export declare function repliesOf(
  { segments }: Trace,
  { delivery }?: RepliesOptions,
): Readonly<Record<string, readonly TracedReply[]>>;

// Not exported by name, but part of what is.

type Cause =
  | readonly [kind: "created"]
  | readonly [kind: "answer" | "fault", question: number, value: unknown]
  | readonly [kind: "timer", id: number]
  | readonly [kind: "call", request: number, method: string, args: readonly unknown[]]
  | readonly [kind: "ended", reason: string];

interface Departure {
  readonly segment: number;
  readonly turn: number;
  readonly wallAt: number;
  readonly expected?: readonly unknown[];
  readonly seen?: readonly unknown[];
  readonly story: string;
}

interface PortParts {
  readonly deletions: boolean;
  readonly records?: boolean;
  readonly clock?: boolean;
  readonly board?: boolean;
  readonly outbox?: boolean;
  readonly audiences: boolean;
  readonly end: boolean;
}

interface ReplayPorts extends RecordablePorts {
  readonly recorder: RelayRecorder;
  readonly workspace: Workspace;
}

type Step =
  | readonly [kind: "ask", id: number, question: string, args: readonly unknown[]]
  | readonly [kind: "timer", id: number, delayMs: number]
  | readonly [kind: "unit", value: number]
  | readonly [kind: "bytes", hex: string]
  | readonly [kind: "event", event: unknown]
  | readonly [kind: "reply", request: number, answer: unknown];

declare const TRACE_VERSION = 1;

type TraceBodies = "digest" | "full";

type TraceErrorCode = "not-a-trace" | "unknown-version";

interface TraceSegment {
  readonly settings: unknown;
  readonly state?: unknown;
  readonly parts: PortParts;
  readonly turns: readonly Turn[];
}

type TracedReply =
  | {
      readonly kind: "answers";
      readonly status: number;
      readonly afterMs: number;
      readonly retryAfter?: string;
      readonly excerpt: Uint8Array;
    }
  | {
      readonly kind: "fails";
      readonly fault: Fault;
      readonly afterMs: number;
    }
  | {
      readonly kind: "hangs";
    };

interface Turn {
  readonly wall: EpochMs;
  readonly monotonic: MonoMs;
  readonly cause: Cause;
  readonly steps: readonly Step[];
}

export {};

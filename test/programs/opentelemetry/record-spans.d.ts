// The types of record-spans.js, for the tests.

import type { SpanSampler, TracingApi } from "@postrider/relay/metrics";

export interface RecordedSpan {
  readonly name: string;
  readonly kind: string;
  readonly scope: string;
  readonly traceId: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly links: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly hasFailed: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SpanRecording {
  spans(): readonly RecordedSpan[];
  stop(): Promise<void>;
}

export const opentelemetry: TracingApi;
export function sharedSampler(share: number): SpanSampler;
export function recordSpans(sampler?: SpanSampler): SpanRecording;
export function inHostSpan<T>(name: string, run: () => Promise<T>): Promise<T>;

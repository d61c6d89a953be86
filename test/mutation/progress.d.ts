import type { Stage } from "./plan.js";
import type { Entry } from "./verdicts.js";

export interface Share {
  readonly mutants: readonly { readonly id: string }[];
  readonly stages: readonly Stage[];
  readonly entries: readonly Entry[];
}

export interface Progress {
  readonly all: number;
  readonly judged: number;
  readonly survived: number;
  readonly leftMs?: number;
}

export function progressOf(shares: readonly Share[], elapsedMs: number): Progress;

export function writeProgress(name: string, progress: Progress): string;

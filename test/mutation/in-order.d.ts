import type { TestSequencerConstructor } from "vitest/node";

/** The order of test files: as they are named here. */
export function inOrder(paths: readonly string[]): TestSequencerConstructor;

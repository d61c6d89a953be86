// Watchdogs: they end what hangs, and say nothing about speed. A busy machine must never reach them.

export const TEST_WATCHDOG_MS = 900_000;
/** Ends a wait before the test times out, with an error that names the missing condition. */
export const CONDITION_WATCHDOG_MS = 120_000;

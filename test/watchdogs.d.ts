// The types of watchdogs.js, for the tests.

export const TEST_WATCHDOG_MS: number;
export const CONDITION_WATCHDOG_MS: number;

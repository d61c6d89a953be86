// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/system` exports.

import type { Clock, Random } from "@postrider/core";

export interface SystemClockOptions {
  readonly keepsProcess?: boolean;
}

export declare function createIdRandom(): Random;

export declare function createSystemClock({ keepsProcess }?: SystemClockOptions): Clock;

export declare function createSystemRandom(): Random;

export declare function nextTurn(): Promise<void>;

export {};

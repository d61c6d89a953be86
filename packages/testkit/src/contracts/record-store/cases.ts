// The cases about records, for the suites of all ports that offer records.

import { LISTING_RECORD_CASES, TAG_CASES } from "./lists.js";
import { FAILING_RECORD_CASES, SHARING_RECORD_CASES, SURVIVING_RECORD_CASES } from "./processes.js";
import { PUTTING_CASES } from "./put.js";
import { CRASHING_RECORD_CASES, RACING_RECORD_CASES } from "./racing.js";
import type { RecordCase } from "./scene.js";
import { KEY_CASES, TEXT_CASES } from "./texts.js";

export const RECORD_CASES: readonly RecordCase[] = [
  ...PUTTING_CASES,
  ...KEY_CASES,
  ...TEXT_CASES,
  ...LISTING_RECORD_CASES,
  ...TAG_CASES,
  ...SURVIVING_RECORD_CASES,
  ...SHARING_RECORD_CASES,
  ...RACING_RECORD_CASES,
  ...CRASHING_RECORD_CASES,
  ...FAILING_RECORD_CASES,
];

// Arbitraries for fast-check: values with which users of Postrider test their policies, stores, receivers and settings.
// Each is a function without state; each value is plain data that prints and shrinks well.

export { calls, checkedCalls, integrationObjects, rawCalls } from "./calls.js";
export { jsonObjects, jsonValues, nastyKeys, nastyNumbers, nastyStrings } from "./nasty-json.js";
export {
  retryDraws,
  MAX_PLAYED_ROUNDS,
  type Outage,
  type OutageOptions,
  outages,
  playOutage,
  troubledReceivers,
  replies,
  retryableReplies,
} from "./receivers.js";
export {
  deliveryPolicies,
  retryPolicies,
  destinations,
  endpointUrls,
  secrets,
  staticHeaders,
  workspaces,
} from "./settings.js";
export { badTimestampTexts, instants, timestampTexts } from "./timestamps.js";

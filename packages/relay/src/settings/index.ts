// The public entry of relay/settings.

export { CONFIG_VERSION, type ConfigFile } from "./config/config-file.js";
export type { Config, NetworkSettings, ServerSettings } from "./decode-config.js";
export {
  findHiddenTextsInSteps,
  findUnsharedTextsInSteps,
  HIDDEN_TEXT,
  hideSecretTextsInSteps,
  isSealed,
  mapSecretTextsInSteps,
  type SecretPlace,
} from "./config/shared-texts.js";
export { nearestKey } from "./config/nearest-key.js";
export { decodeBatch } from "./decode-batch.js";
export { decodeCall } from "./decode-call.js";
export { decodeConfig, decodeConfigInSteps, decodeWorkspace, decodeWorkspaceInSteps } from "./decode-config.js";
export { decodeScenario } from "./decode-scenario.js";
export type { Batch, BatchRefusalCode, Decoded } from "./decoded.js";
export { findJsonFault, findJsonFaultInSteps, type TextPosition } from "./json-faults.js";
export { findTooDeep } from "./json-faults.js";
export { type ParsedJson, parseJsonInSteps, type ParseLimits } from "./parse-json-in-steps.js";
export { type ReceivedCall, readReceivedCall } from "./decode-call.js";
export { expandReferences, expandReferencesInSteps, type ReferenceReader } from "./expand-references.js";
export {
  type Scenario,
  type ScenarioDowntime,
  type ScenarioFault,
  type ScenarioLoad,
  type ScenarioStretch,
  type ScenarioErrors,
  STORE_FAULT_KINDS,
  type StoreFaultKind,
} from "./scenario/scenario.js";

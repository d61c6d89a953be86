// The public face of the contract suites: one for each port, as plain cases.

export { callStorageContract, type CallStorageHarness, type CallStorageSupport } from "./call-storage-contract.js";
export { audienceStoreContract } from "./audience-store-contract.js";
export type { AudienceStoreHarness, AudienceStoreSupport } from "./audience-store/harness.js";
export {
  type ContractCase,
  type ContractOptions,
  type Supported,
  type HarnessError,
  isHarnessError,
} from "./contract-case.js";
export { deliveryStoreContract } from "./delivery-store-contract.js";
export { deliveryStoreModelContract, type ModelContractOptions } from "./delivery-store-model-contract.js";
export type { StorageGate } from "./delivery-store/gate.js";
export {
  type DeliveryStoreHarness,
  type DeliveryStoreSupport,
  type HostTransaction,
  type StoreWithEnd,
  supportsNothing,
} from "./delivery-store/harness.js";
export { httpContract } from "./http-contract.js";
export type { HttpHarness, HttpAdapterOptions, HttpSupport } from "./http/harness.js";

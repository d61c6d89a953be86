// The public face of the contract suites: one for each port, as plain cases.

export type { ContractCase, Supported } from "./contract-case.js";

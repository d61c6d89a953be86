// The faults that can prevent a request about users from being carried out in an audience.

import type { StoreFault } from "../fault.js";
import type { NoSuchAudience } from "./audience-storage.js";

export type EraseFault = StoreFault | NoSuchAudience | { readonly code: "stopped" };

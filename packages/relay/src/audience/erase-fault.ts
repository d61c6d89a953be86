// The faults that may prevent that requests about users are carried out in an audience.

import type { StoreFault } from "../storage/storage.js";
import type { NoSuchAudience } from "./audience-storage.js";

export type EraseFault = StoreFault | NoSuchAudience | { readonly code: "stopped" };

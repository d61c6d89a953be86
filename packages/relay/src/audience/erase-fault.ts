// The faults because of which requests about users may not be carried out in an audience.

import type { StoreFault } from "../storage/storage.js";
import type { NoSuchAudience } from "./audience-storage.js";

export type EraseFault = StoreFault | NoSuchAudience | { readonly code: "stopped" };

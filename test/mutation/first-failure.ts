// A property ends at its first failure: which smaller case fails too is nothing to a mutant.

import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

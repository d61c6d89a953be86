// The version of this package, as the command line, the log and the API show it. A constant, since a host may bundle this
// package without its package.json. The release writes it; a test compares it with package.json.

export const PROGRAM_VERSION = "0.1.0";

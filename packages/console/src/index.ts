// The public entry of console.

export type { Authenticate, ConsoleRole, ConsoleTokens, ConsoleUser } from "./access/console-user.js";
export { type Console, type ConsoleAction, type ConsoleOptions, createConsole } from "./create-console.js";

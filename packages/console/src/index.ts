// The public entry of console.

export type { Authenticate, ConsoleUser } from "./access/console-user.js";
export { type Console, type ConsoleAction, type ConsoleOptions, createConsole } from "./create-console.js";

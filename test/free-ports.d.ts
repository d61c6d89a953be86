// The types of free-ports.js, for the tests.

import type { Server } from "node:net";

export function listenForRestarts(server: Server): Promise<number>;
export function portForRestarts(): Promise<number>;

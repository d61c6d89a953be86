// The types of listen-on-both.js, for the tests.

import type { Socket } from "node:dgram";
import type { Server } from "node:net";

export const MAX_PORT_TRIES: number;
export function listenOnBoth(udp: Socket, tcp: Server, choose?: () => number): Promise<number>;

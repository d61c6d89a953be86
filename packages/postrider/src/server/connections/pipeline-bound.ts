// Bounds how many requests of one connection are handled in one turn of the event loop. Without this bound, thousands
// of pipelined requests from one read of a socket would be handled before any other work.

import type { Clock } from "@postrider/core";
import type { Socket } from "node:net";

/** Returns whether a further request of a connection may be handled; if not, the connection is closed. */
export type MayHandleRequest = (socket: Socket) => boolean;

export function createPipelineBound(maxPipelined: number, clock: Pick<Clock, "after">): MayHandleRequest {
  const handled = new Map<Socket, number>();
  return (socket) => {
    // Bytes that have been read are parsed to their end, even after the connection is closed.
    if (socket.destroyed) return false;
    const count = (handled.get(socket) ?? 0) + 1;
    if (handled.size === 0) clock.after(0, () => handled.clear());
    handled.set(socket, count);
    if (count > maxPipelined) socket.destroy();
    return count <= maxPipelined;
  };
}

// Bounds how many requests of one connection are looked at in one turn of the loop. A caller that writes them one behind
// the other would have all that one read brings looked at, thousands of them, before anything else has its turn.

import type { Clock } from "@postrider/core";
import type { Socket } from "node:net";

/** Answers whether a further request of a connection may be looked at. One too many ends the connection. */
export type MayBegin = (socket: Socket) => boolean;

export function createPipelineBound(maxPipelined: number, clock: Pick<Clock, "after">): MayBegin {
  const begun = new Map<Socket, number>();
  return (socket) => {
    // What has been read already is parsed to its end, also after the connection.
    if (socket.destroyed) return false;
    const count = (begun.get(socket) ?? 0) + 1;
    if (begun.size === 0) clock.after(0, () => begun.clear());
    begun.set(socket, count);
    if (count > maxPipelined) socket.destroy();
    return count <= maxPipelined;
  };
}

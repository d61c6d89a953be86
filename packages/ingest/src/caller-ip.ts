// Adds the address of the caller to the context that the calls of a request share, for a source that asks for it: as `ip`, under what
// the calls and their batch have themselves (decision: addresses of callers). Decides no address; the listener does.

import type { JsonObject, Source } from "@postrider/core";

/** An IPv4 address as a socket for both families writes it. */
const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** The context of the batch, with the address if the source wants it and it is known; undefined if there is neither. */
export function contextWithIp(
  { addsIp }: Source,
  address: string | undefined,
  context: JsonObject | undefined,
): JsonObject | undefined {
  if (addsIp !== true || address === undefined) return context;
  return { ip: address.replace(MAPPED, ""), ...context };
}

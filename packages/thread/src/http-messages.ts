// The messages on the channel of an HTTP port. They keep their order: what is listened on comes before the requests that must
// not go there.

import type { Reply } from "@postrider/core";
import type { Parcel } from "./parcel.js";

/** The reply to a request that was not sent. */
export const NOT_SENT: Reply = { kind: "silent", fault: "local", afterMs: 0 };

/** An address on which the calling process listens. `0.0.0.0` and `::` mean all addresses of this machine. */
export interface CallerAddress {
  readonly host: string;
  readonly port: number;
}

/** To the thread that sends. */
export type SenderMessage =
  | { readonly kind: "requests"; readonly parcel: Parcel }
  | { readonly kind: "listening"; readonly addresses: readonly CallerAddress[] }
  | { readonly kind: "close" };

/** From the thread that sends: packed replies; none in the first message, which says that it is ready. */
export type RepliesMessage = Parcel;

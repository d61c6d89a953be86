// One POST to an endpoint, exactly as it is sent. The request is built in request/.

import type { EndpointId } from "../ids.js";
import type { Header } from "../settings/workspace.js";

/** One POST to an endpoint, exactly as it is sent. */
export interface HttpRequest {
  /** The target is the path and the query as they are written here, an empty query included; without fragment and user. */
  readonly url: EndpointId;
  /** Sent unchanged and in this order; the adapter adds only the headers of framing (Host, Content-Length, Connection). */
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  /**
   * The time limit from before DNS to the status line, in milliseconds of monotonic time. The body is read no longer. Any
   * length is allowed, also one beyond the platform's own timers.
   */
  readonly timeoutMs: number;
}

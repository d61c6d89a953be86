// One POST as it is to go out, to the last byte. How it is built is decided in request/.

import type { EndpointId } from "../ids.js";
import type { Header } from "../settings/workspace.js";

export interface HttpRequest {
  readonly url: EndpointId;
  /** In this order, exactly these; the adapter adds only what framing needs (Host, Content-Length, Connection). */
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  /** From before DNS to the status line, in milliseconds of monotonic time. */
  readonly timeoutMs: number;
}

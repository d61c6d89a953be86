// The HTTP port: one POST, one reply. `send` never rejects: an attempt without an answer has a reply as well (`silent`). An adapter must
// not decide the meaning of a reply; round/ does.

import type { Reply } from "../http/reply.js";
import type { HttpRequest } from "../http/request.js";

/** The port that sends requests. It answers each request, in any case. */
export interface HttpPort {
  /**
   * Sends one POST and resolves with the reply; never rejects. Never sends a second request: it follows no redirect, tries nothing again,
   * and keeps nothing of an answer for later requests. On 2xx it resolves at the status line and discards the body within the same
   * `timeoutMs`. Otherwise it resolves once 4,096 bytes of the body have been read, the body ends, or the time is up. Reads at most 65,536
   * bytes.
   */
  send(request: HttpRequest): Promise<Reply>;
}

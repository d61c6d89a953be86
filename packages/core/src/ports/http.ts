// The HTTP port: one POST, one reply. It is total: `send` never rejects, silence is a reply as well.
// What a reply means is decided in round/, never by an adapter.

import type { Reply } from "../http/reply.js";
import type { HttpRequest } from "../http/request.js";

export interface HttpPort {
  /**
   * Sends one POST and resolves with what came back; never rejects. Redirects are not followed. On 2xx it resolves
   * at the status line and reads the rest away within the same `timeoutMs`; otherwise once 4,096 bytes of the body
   * are in, the body ends, or the time is up. At most 65,536 bytes are read.
   */
  send(request: HttpRequest): Promise<Reply>;
}

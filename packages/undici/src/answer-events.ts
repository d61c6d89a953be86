// What a connection reports of one exchange. Core's exchange decides what each event leads to.

import type { Fault } from "@postrider/core";
import type { ReplyHead } from "@postrider/core/engine";

/** Once an exchange is over, further events do nothing. */
export interface AnswerEvents {
  /** A final status line with its headers. */
  onHead(head: ReplyHead): void;
  /** A piece of the body, which may be overwritten after the call. */
  onBody(chunk: Uint8Array): void;
  /** The answer is complete. */
  onEnd(): void;
  /** The answer will not come, or not to its end. */
  onFault(fault: Fault): void;
}

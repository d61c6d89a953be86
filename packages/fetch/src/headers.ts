// Finds headers that HTTP cannot carry (RFC 9110, §5.1 and §5.5), before the runtime rejects them with a message.

import type { Header } from "@postrider/core";

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Whether a header can be sent: a token, and Latin-1 text without control characters. */
export function canCarry([name, value]: Header): boolean {
  return NAME.test(name) && VALUE.test(value);
}

// Finds headers that HTTP cannot carry (RFC 9110, §5.1 and §5.5): fetch would reject with an error that has no code.

import type { Header } from "@postrider/core";

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Whether a header can be sent: its name is a token, and its value is Latin-1 text without control characters but tabs. */
export function canSendHeader([name, value]: Header): boolean {
  return NAME.test(name) && VALUE.test(value);
}

// One-time logins: codes that stand in for the token once, so that a program can print an address that logs in.

import type { Clock, Random } from "@postrider/core";
import { Buffer } from "node:buffer";
import { LOGIN_CODE_MS, MAX_LOGIN_CODES, NONCE_BYTES } from "../limits.js";
import { isSameText } from "./digest.js";

export interface LoginCodes {
  /** A new code. */
  draw(): string;
  /** Whether the code may be used. It can be used as before after that. */
  has(code: string): boolean;
  /** Ends the code: it cannot be used again. */
  take(code: string): void;
}

export function createLoginCodes(clock: Pick<Clock, "monotonic">, random: Pick<Random, "bytes">): LoginCodes {
  const endings = new Map<string, number>();
  return {
    draw: () => {
      const code = Buffer.from(random.bytes(NONCE_BYTES)).toString("base64url");
      const [oldest] = endings.size >= MAX_LOGIN_CODES ? endings.keys() : [];
      if (oldest !== undefined) endings.delete(oldest);
      endings.set(code, clock.monotonic() + LOGIN_CODE_MS);
      return code;
    },
    has: (shown) => {
      const now = clock.monotonic();
      return [...endings].some(([code, endsAt]) => isSameText(shown, code) && now < endsAt);
    },
    take: (code) => void endings.delete(code),
  };
}

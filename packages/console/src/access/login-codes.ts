// One-time logins: codes that stand in for the token once, so that a program can print an address that logs in.

import type { Clock, Random } from "@postrider/core";
import { Buffer } from "node:buffer";
import { LOGIN_CODE_MS, MAX_LOGIN_CODES, NONCE_BYTES } from "../limits.js";

export interface LoginCodes {
  /** A new code. */
  draw(): string;
  /** Whether the code may be used. It cannot be used again. */
  take(code: string): boolean;
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
    take: (code) => {
      const endsAt = endings.get(code);
      endings.delete(code);
      return endsAt !== undefined && clock.monotonic() < endsAt;
    },
  };
}

// Sessions without a memory: a session is a text that says the role and its end, and a code over both that is made with a key from
// the token of the role. So a session is good on all servers that have the token, and a new token ends it (decision: console sessions).

import type { Clock, Random } from "@postrider/core";
import { Buffer } from "node:buffer";
import { NONCE_BYTES, SESSION_MS } from "../limits.js";
import { type ConsoleRole, type ConsoleTokens, tokenOf } from "./console-user.js";
import { isSameText, macOf } from "./digest.js";

export interface Sessions {
  /** The text of a new session; undefined if the role has no token. */
  begin(role: ConsoleRole): string | undefined;
  /** The role of a session; undefined if it is none, or its time is over. */
  roleOf(session: string): ConsoleRole | undefined;
}

export interface SessionPorts {
  readonly tokens: ConsoleTokens;
  readonly clock: Pick<Clock, "wall">;
  readonly random: Pick<Random, "bytes">;
}

const ROLES: readonly ConsoleRole[] = ["operator", "viewer"];
/** Role, end, nonce and code. Of a text of another shape, no code is computed. */
const SESSION = /^((operator|viewer)\.(\d{1,16})\.[\w-]{22})\.([\w-]{43})$/;
const PURPOSE = "postrider console session";

export function createSessions({ tokens, clock, random }: SessionPorts): Sessions {
  const codeOf = (role: ConsoleRole, claims: string): string | undefined => {
    const token = tokenOf(tokens, role);
    return token && macOf(macOf(token.reveal(), PURPOSE), claims);
  };
  return {
    begin: (role) => {
      const nonce = Buffer.from(random.bytes(NONCE_BYTES)).toString("base64url");
      const claims = `${role}.${String(clock.wall() + SESSION_MS)}.${nonce}`;
      const code = codeOf(role, claims);
      return code && `${claims}.${code}`;
    },
    roleOf: (session) => {
      const [, claims = "", name, endsAt, code = ""] = SESSION.exec(session) ?? [];
      const role = ROLES.find((one) => one === name);
      const right = role && codeOf(role, claims);
      if (right === undefined || !isSameText(code, right)) return undefined;
      return clock.wall() < Number(endsAt) ? role : undefined;
    },
  };
}

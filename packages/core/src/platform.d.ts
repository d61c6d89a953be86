// All that core may see of the platform it runs on. The compiler refuses everything else (`types: []`):
// no fetch, no timers, no process, no console. Only what signs and verifies in `request/` imports node:crypto;
// TextEncoder, URL and atob are in every runtime.

declare module "node:crypto" {
  export function createHmac(algorithm: "sha1" | "sha256", key: Uint8Array): Hmac;
  export function timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean;
}

interface Hmac {
  update(data: Uint8Array): Hmac;
  digest(encoding: "hex" | "base64"): string;
}

/** Base64 to one character for each byte. Throws on anything else. */
declare function atob(text: string): string;

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

declare class URL {
  static canParse(text: string): boolean;
  constructor(text: string);
  readonly href: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly hash: string;
}

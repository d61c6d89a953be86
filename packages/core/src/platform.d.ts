// The parts of the platform that core may use. The compiler refuses everything else, such as fetch, timers, process and
// console (`types: []`). Only the files of `request/` import node:crypto; TextEncoder, URL and atob exist in every runtime.

declare module "node:crypto" {
  export function createHmac(algorithm: "sha1" | "sha256", key: Uint8Array): Hmac;
  /** Missing in runtimes that do not follow Node closely, and in Node before 20.12. */
  export const hash: ((algorithm: "sha1", data: Uint8Array, encoding: "hex") => string) | undefined;
  export function timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean;
}

interface Hmac {
  update(data: Uint8Array): Hmac;
  digest(encoding: "hex" | "base64"): string;
}

/** Decodes base64 to one character per byte. Throws on any other text. */
declare function atob(text: string): string;

declare class TextEncoder {
  encode(text: string): Uint8Array;
  /** Writes as many whole characters as fit into `target`. Returns the UTF-16 units read and the bytes written. */
  encodeInto(text: string, target: Uint8Array): { readonly read: number; readonly written: number };
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

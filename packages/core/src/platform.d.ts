// All that core may see of the platform it runs on. The compiler refuses everything else (`types: []`):
// no fetch, no timers, no process, no console. Only `request/sign-body.ts` and `request/verify-signature.ts`
// import node:crypto; TextEncoder and URL are in every runtime.

declare module "node:crypto" {
  export function createHmac(
    algorithm: "sha1",
    key: Uint8Array,
  ): {
    update(data: Uint8Array): { digest(encoding: "hex"): string };
  };
  export function timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean;
}

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

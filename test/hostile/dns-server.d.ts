// The types of dns-server.js, for the tests.

/** The answer for a name; any other name does not exist. */
export type Said =
  | {
      readonly kind: "addresses";
      readonly a?: readonly string[];
      readonly aaaa?: readonly string[];
      /** Queries of this kind get no answer, or that the server has failed. */
      readonly hangs?: "A" | "AAAA";
      readonly fails?: "A" | "AAAA";
    }
  /** Aliases, each of the next, and the addresses of the last. */
  | { readonly kind: "aliases"; readonly names: readonly string[]; readonly a: readonly string[] }
  | { readonly kind: "fails" }
  | { readonly kind: "hangs" };

export interface DnsServer {
  /** For `setServers`. */
  readonly address: string;
  /** Questions that came in, as `A receiver.example`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export function startDnsServer(say: (name: string) => Said | undefined, wantedPort?: number): Promise<DnsServer>;

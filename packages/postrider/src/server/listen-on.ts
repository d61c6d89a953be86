// Makes a server of node:http listen, and returns its URL or the reason for which it cannot.

import type { Server } from "node:http";
import { MAX_UNACCEPTED_CONNECTIONS } from "./http-limits.js";

export interface Address {
  /** A name or an address, IPv6 with or without brackets. */
  readonly host: string;
  /** 0 asks for any free port. */
  readonly port: number;
}

export type ListenResult =
  | {
      readonly kind: "ok";
      /** `http://HOST:PORT` or `https://HOST:PORT` with the real port, IPv6 in brackets, no slash at the end. */
      readonly url: string;
    }
  | { readonly kind: "refused"; readonly code: "port-taken" | "cannot-listen"; readonly reason: string };

/** Resolves once the server listens, or cannot. */
export function listenOn(server: Server, address: Address, scheme: "http" | "https" = "http"): Promise<ListenResult> {
  const host = address.host.replace(/^\[(.*)\]$/, "$1");
  const urlOf = (port: number): string => `${scheme}://${host.includes(":") ? `[${host}]` : host}:${String(port)}`;
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve(failure(error, urlOf(address.port)));
    server.once("error", fail);
    server.listen({ host, port: address.port, backlog: MAX_UNACCEPTED_CONNECTIONS }, () => {
      server.removeListener("error", fail);
      const port = boundAddresses(server)[0]?.port ?? address.port;
      resolve({ kind: "ok", url: urlOf(port) });
    });
  });
}

/** The address of a listening server; none if it does not listen. */
export function boundAddresses(server: Server): readonly Address[] {
  const bound = server.address();
  return typeof bound === "object" && bound !== null ? [{ host: bound.address, port: bound.port }] : [];
}

function failure({ code = "unknown fault" }: NodeJS.ErrnoException, url: string): ListenResult {
  return code === "EADDRINUSE"
    ? { kind: "refused", code: "port-taken", reason: `cannot listen on ${url}: another program has the port` }
    : { kind: "refused", code: "cannot-listen", reason: `cannot listen on ${url}: ${code}` };
}

// Wrappers that break a sound HTTP adapter: they change the request, the reply, the resolver, or the number of requests.

import type { HttpRequest, Reply } from "@postrider/core";
import type { HttpAdapterOptions } from "@postrider/testkit/contracts";
import { createPlainHttp, type Traits } from "../plain-http.js";

export interface TestedHttp {
  send(request: HttpRequest): Promise<Reply>;
  close(): Promise<void>;
}

export type CreateHttp = (options: HttpAdapterOptions) => TestedHttp;

/** Sends one request in another way; `http` is sound. */
export type SendAround = (http: TestedHttp, request: HttpRequest, options: HttpAdapterOptions) => Promise<Reply>;

/** The sound adapter with other traits. */
export function withTraits(traits: Partial<Traits>): CreateHttp {
  return (options) => createPlainHttp(options, traits);
}

/** An adapter that sends around the sound one; `begin` makes what it remembers. */
export function around(begin: () => SendAround): CreateHttp {
  return (options) => {
    const http = createPlainHttp(options);
    const send = begin();
    return { send: (request) => send(http, request, options), close: () => http.close() };
  };
}

export function changing(change: (request: HttpRequest) => Partial<HttpRequest>): CreateHttp {
  return around(() => (http, request) => http.send({ ...request, ...change(request) }));
}

export function replying(change: (reply: Reply) => Reply): CreateHttp {
  return around(() => async (http, request) => change(await http.send(request)));
}

type Names = NonNullable<HttpAdapterOptions["names"]>;

/** An adapter that looks names up in another way; `begin` makes what it remembers. */
export function naming(begin: (names: Names) => Names): CreateHttp {
  return (options) => {
    const { names } = options;
    return createPlainHttp(names === undefined ? options : { ...options, names: begin(names) });
  };
}

/** Sends again while the reply asks for it, once at most. */
export function again(isWanted: (reply: Reply) => boolean): CreateHttp {
  return around(() => async (http, request) => {
    const reply = await http.send(request);
    return isWanted(reply) ? http.send(request) : reply;
  });
}

// A console over a relay in memory, asked as its page asks.

import { createRecentCalls } from "@postrider/http/api";
import { type ConsoleAction, type ConsoleOptions, createConsole, type Console } from "@postrider/console";
import { createSecret } from "@postrider/core";
import { createSeededRandom } from "@postrider/memory";
import type { IncomingRequest } from "@postrider/http";
import { TOKEN, VIEWER_TOKEN } from "../canary.js";
import { request, textOf } from "../http/request.js";
import { createWorld, type World, type WorldOptions } from "../ingest/world.js";

export const HERE = "http://127.0.0.1:8080";

/** What a browser sends with each request of the page for data. */
export const FROM_PAGE = {
  origin: HERE,
  host: "127.0.0.1:8080",
  "sec-fetch-site": "same-origin",
  "content-type": "application/json",
};

export interface Told {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: ReadonlyMap<string, string>;
}

export interface Asking {
  readonly body?: unknown;
  readonly cookie?: string;
  /** Added to those of the page; one that is undefined is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly from?: Partial<IncomingRequest>;
}

export interface ConsoleRig extends World {
  readonly console: Console;
  readonly actions: readonly ConsoleAction[];
  /** How often a wrong token was shown. */
  wrongTokens(): number;
  ask(method: string, target: string, asking?: Asking): Promise<Told>;
  /** The cookie of a new session. */
  logIn(token?: string): Promise<string>;
  /** Accepts one call and lets its first round end; the id of its delivery. */
  track(call?: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface ConsoleRigOptions extends WorldOptions {
  readonly console?: Partial<ConsoleOptions>;
}

export function createConsoleRig(options: ConsoleRigOptions = {}): ConsoleRig {
  const world = createWorld(options);
  const actions: ConsoleAction[] = [];
  let wrongTokens = 0;
  const console = createConsole({
    relay: world.relay,
    calls: createRecentCalls(world.clock),
    authenticate: { operator: createSecret(TOKEN), viewer: createSecret(VIEWER_TOKEN) },
    clock: world.clock,
    random: createSeededRandom(5),
    onAction: (action) => actions.push(action),
    onWrongToken: () => (wrongTokens += 1),
    ...options.console,
  });

  async function ask(method: string, target: string, { body, cookie, headers, from }: Asking = {}): Promise<Told> {
    const [path = "", query = ""] = target.split("?", 2);
    const cookies = cookie === undefined ? {} : { cookie };
    const sent: Readonly<Record<string, string | undefined>> = { ...FROM_PAGE, ...cookies, ...headers };
    const present = Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined);
    const asked = request(method, path, { body, query, headers: Object.fromEntries(present) });
    const answer = await console({ ...asked, ...from });
    const text = typeof answer.body === "string" ? textOf(answer) : "";
    const told = new Map(answer.headers.map(([name, value]) => [name.toLowerCase(), value]));
    const isJson = told.get("content-type") === "application/json";
    return { status: answer.status, body: isJson ? JSON.parse(text) : undefined, text, headers: told };
  }

  return {
    ...world,
    console,
    actions,
    wrongTokens: () => wrongTokens,
    ask,
    logIn: async (token = TOKEN) => {
      const told = await ask("POST", "/session", { body: { token } });
      return cookieIn(told);
    },
    track: async (call = {}) => {
      const calls = [{ type: "track", userId: "u1", event: "Signed Up", ...call }];
      const [source] = world.relay.workspace().sources;
      const [receipt] = (await world.relay.accept({ source: source!.id, calls }))._unsafeUnwrap();
      await world.clock.settle();
      if (receipt?.kind !== "accepted") throw new Error(`the call was ${String(receipt?.kind)}`);
      return receipt.deliveries[0]!;
    },
  };
}

/** The cookie that an answer sets, as a browser sends it back. */
export function cookieIn({ headers, text }: Told): string {
  const [cookie] = headers.get("set-cookie")?.split(";") ?? [];
  if (cookie === undefined) throw new Error(`no cookie is set: ${text}`);
  return cookie;
}

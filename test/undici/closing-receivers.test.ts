// Receivers that close connections at the worst moments, without notice: right after an answer, or when the next request
// arrives. Real sockets: these are races, so each is run several times, and the expectations hold for every result.

import { createServer, type Server, type Socket } from "node:net";
import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DestinationId,
  type EndpointId,
  type HttpPort,
  type Reply,
  type SourceId,
  type Workspace,
} from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { createRelay } from "@postrider/relay";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { createUndiciHttp, type UndiciHttp } from "@postrider/undici";
import { afterEach, describe, expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { listen } from "../loopback.js";

/** How a receiver ends a connection after its last answer. */
type Manner = (socket: Socket) => void;

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
const A_CONNECTION = 3;

/** What it does with its last answer on a connection. */
const BEHIND_AN_ANSWER: Readonly<Record<string, Manner>> = {
  "closes with its answer": (socket) => void socket.end(ANSWER),
  "closes in the turn after its answer": (socket) => {
    socket.write(ANSWER);
    setImmediate(() => socket.end());
  },
  "resets in the turn after its answer": (socket) => {
    socket.write(ANSWER);
    setImmediate(() => socket.resetAndDestroy());
  },
};

/** Its behaviour in place of one more answer. */
const IN_PLACE_OF_ONE: Readonly<Record<string, Manner>> = {
  "closes as the next request comes in": (socket) => void socket.end(),
  "resets as the next request comes in": (socket) => void socket.resetAndDestroy(),
};

/** Its behaviour after it has read one more request, accepted or not; the sender gets no answer. */
const HAVING_READ_ONE: Readonly<Record<string, Manner>> = {
  "closes having read the next request": (socket) => void socket.end(),
  "resets having read the next request": (socket) => void socket.resetAndDestroy(),
};

const MANNERS = [BEHIND_AN_ANSWER, IN_PLACE_OF_ONE, HAVING_READ_ONE].flatMap(Object.keys);

const SOURCE = "website" as SourceId;

interface Seen {
  /** Bodies that came in whole, and those that were answered, in their order. */
  readonly came: string[];
  readonly answered: string[];
}

describe("receivers that close connections after a few requests", () => {
  const servers: Server[] = [];
  const opened: UndiciHttp[] = [];

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((http) => http.close()));
    for (const server of servers.splice(0)) server.close();
  });

  async function receive(name: string): Promise<Seen & { readonly url: EndpointId }> {
    const seen: Seen = { came: [], answered: [] };
    const server = createServer({ noDelay: true }, (socket) => {
      serve(socket, name, seen);
    });
    servers.push(server);
    return { ...seen, url: `http://127.0.0.1:${String(await listen(server))}/` as EndpointId };
  }

  function open(): HttpPort {
    const http = createUndiciHttp({ clock: createSystemClock(), network: { allow: ["127.0.0.1"] } });
    opened.push(http);
    return http;
  }

  describe.each(MANNERS)("one that %s", (name) => {
    it("gets each request at most once, and each reply is what it sent", async () => {
      const { came, answered, url } = await receive(name);
      const http = open();
      const replies = new Map<string, Reply>();
      await Promise.all(
        Array.from({ length: 8 }, async (_, lane) => {
          for (let turn = 0; turn < 60; turn += 1) {
            const text = `${String(lane)}-${String(turn)}`;
            const body = new TextEncoder().encode(text);
            replies.set(text, await http.send({ url, headers: [], body, timeoutMs: 60_000 }));
          }
        }),
      );
      expect(new Set(came).size).toBe(came.length);
      const taken = [...replies].filter(([, reply]) => reply.kind === "answered").map(([text]) => text);
      expect(answered).toEqual(expect.arrayContaining(taken));
      // A reset may overtake an answer; a close comes after it.
      if (!name.startsWith("resets")) expect(taken.toSorted()).toEqual(answered.toSorted());
      const faults = [...replies.values()].flatMap((reply) => (reply.kind === "silent" ? [reply.fault] : []));
      for (const fault of faults) expect(["connection-closed", "connection-reset"]).toContain(fault);
      expect(taken.length).toBeGreaterThan(200);
    });

    it("gets all messages in the end, and only unanswered ones twice", async () => {
      const { came, answered, url } = await receive(name);
      const calls = Array.from({ length: 200 }, (_, index) => ({ type: "track", userId: "u", event: String(index) }));
      let delivered = 0;
      await new Promise<void>((resolve, reject) => {
        const relay = createRelay({
          workspace: workspaceOf(url),
          store: createMemoryStore({ disk: createMemoryDisk() }),
          http: open(),
          clock: createSystemClock(),
          random: createSystemRandom(),
          observe: ({ kind }) => {
            if (kind === "delivered" && (delivered += 1) === calls.length) relay.stop().then(resolve, reject);
          },
        });
        relay.start();
        void relay.accept({ source: SOURCE, calls }).mapErr(reject);
      });
      const events = (bodies: readonly string[]) => bodies.map((body) => JSON.parse(body).event as string);
      expect(new Set(events(came))).toEqual(new Set(calls.map(({ event }) => event)));
      if (!name.startsWith("resets")) expect(new Set(answered).size).toBe(answered.length);
    });
  });
});

/** Reads requests by hand: bodies have a length, and no connection carries two requests at once. */
function serve(socket: Socket, name: string, { came, answered }: Seen): void {
  let text = "";
  let count = 0;
  let isOver = false;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    if (isOver) return;
    text += chunk.toString("latin1");
    if (count === A_CONNECTION && IN_PLACE_OF_ONE[name] !== undefined) {
      end(IN_PLACE_OF_ONE[name]);
      return;
    }
    const [head = "", body] = text.split("\r\n\r\n");
    if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1])) return;
    text = "";
    came.push(body);
    take(body);
  });

  function take(body: string): void {
    count += 1;
    const unanswered = count > A_CONNECTION ? HAVING_READ_ONE[name] : undefined;
    if (unanswered === undefined) answered.push(body);
    const manner = unanswered ?? (count === A_CONNECTION ? BEHIND_AN_ANSWER[name] : undefined);
    if (manner === undefined) socket.write(ANSWER);
    else end(manner);
  }

  /** Further bytes are not read, and get no answer. */
  function end(manner: Manner): void {
    isOver = true;
    manner(socket);
  }
}

function workspaceOf(url: EndpointId): Workspace {
  return {
    sources: [{ id: SOURCE, name: "Website", writeKey: createSecret(WRITE_KEY) }],
    destinations: [
      {
        id: "crm" as DestinationId,
        name: "Webhooks",
        enabled: true,
        paused: false,
        acceptsHistorical: true,
        sources: [{ source: SOURCE, mode: "cloud" }],
        endpoints: [{ url, headers: [] }],
        secrets: [],
      },
    ],
    delivery: { ...DEFAULT_DELIVERY, timeoutMs: 60_000, leaseMs: 120_000, firstRetryMs: 5, maxRetryMs: 20 },
    retention: DEFAULT_RETENTION,
  };
}

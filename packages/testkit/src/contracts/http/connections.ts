// Cases of connections: they are reused, no request waits for that of another, many are open at once, and all are
// closed with the adapter.

import { endpointId, type Reply } from "@postrider/core";
import { MAX_LANE_IN_FLIGHT } from "@postrider/core/engine";
import type { Socket } from "node:net";
import { expectEqual } from "../check.js";
import { AMPLE_TIMEOUT_MS, type HttpCase, MIDDLE_TIMEOUT_MS, requestTo, expectAnswer, expectSilence } from "./scene.js";
import type { AnswerRequest } from "./receiver.js";

/** Long enough for hundreds of connections on a busy machine, and short beside the time of those that hang. */
const SOON_MS: number = AMPLE_TIMEOUT_MS / 5;

export const CONNECTION_CASES: readonly HttpCase[] = [
  {
    name: "uses a connection again",
    needs: ["ownConnections"],
    async play(scene) {
      const receiver = await scene.serve((response) => response.writeHead(204).end());
      const http = scene.open();
      for (let count = 0; count < 5; count += 1) {
        await http.send(requestTo(receiver.url()));
        // The connection is free shortly after its answer.
        await scene.settle();
      }
      expectEqual([receiver.requests.length, receiver.connections()], [5, 1], "requests and connections");
    },
  },
  {
    name: "uses a connection over TLS again",
    needs: ["ownConnections", "authorities"],
    async play(scene) {
      const identity = scene.authority.issue({ hosts: ["127.0.0.1"] });
      const receiver = await scene.serve((response) => response.writeHead(204).end(), { identity });
      const http = scene.open({ ca: [scene.authority.cert] });
      for (let count = 0; count < 5; count += 1) {
        await http.send(requestTo(receiver.url()));
        await scene.settle();
      }
      expectEqual([receiver.requests.length, receiver.connections()], [5, 1], "requests and connections");
    },
  },
  {
    name: "sends no second request if a kept connection is closed or reset in place of an answer",
    async play(scene) {
      const closings: readonly ((socket: Socket) => unknown)[] = [
        (socket) => socket.end(),
        (socket) => socket.resetAndDestroy(),
      ];
      for (const end of closings) {
        const receiver = await scene.converse({
          onRequest(socket, turn) {
            if (turn === 1) end(socket);
            else socket.write("HTTP/1.1 202 X\r\nContent-Length: 0\r\n\r\n");
          },
        });
        const http = scene.open();
        const replies: Reply[] = [];
        for (let count = 0; count < 3; count += 1) {
          replies.push(await http.send(requestTo(receiver.url())));
          await scene.settle();
        }
        const kinds = replies.map(({ kind }) => kind);
        expectEqual(kinds, ["answered", "silent", "answered"], "the replies");
        expectEqual(receiver.requestsBegun(), 3, "requests");
      }
    },
  },
  {
    name: "leaves no connection after a timeout, dialled or half dialled, and makes no new one",
    needs: ["ownConnections"],
    async play(scene) {
      const mute = await scene.serve(() => undefined);
      const deaf = await scene.listen(() => undefined);
      const http = scene.open();
      await Promise.all([
        http.send(requestTo(mute.url(), { timeoutMs: MIDDLE_TIMEOUT_MS })),
        http.send(requestTo(endpointId(`https://127.0.0.1:${String(deaf.port)}/`), { timeoutMs: MIDDLE_TIMEOUT_MS })),
      ]);
      const receivers = [mute, deaf];
      await scene.until(
        () => receivers.every((receiver) => receiver.openConnections() === 0),
        AMPLE_TIMEOUT_MS,
        "closing",
      );
      // Time for an unwanted connection to arrive.
      await scene.wait(100);
      expectEqual(
        receivers.map((receiver) => receiver.connections()),
        [1, 1],
        "connections ever made",
      );
    },
  },
];

const echoPath: AnswerRequest = (response, { path }) => response.writeHead(500).end(path);

export const SHARED_CONNECTION_CASES: readonly HttpCase[] = [
  {
    name: "sends fifty requests at once, and gives each its answer",
    async play(scene) {
      const receiver = await scene.serve(echoPath);
      const http = scene.open();
      const paths = Array.from({ length: 50 }, (_, index) => `/${String(index)}`);
      const replies = await Promise.all(paths.map((path) => http.send(requestTo(receiver.url(path)))));
      const bodies = replies.map((reply) => new TextDecoder().decode(expectAnswer(reply).excerpt));
      expectEqual(bodies, paths, "the answers");
    },
  },
  {
    name: "lets no request wait for one that hangs",
    async play(scene) {
      let release = (): void => undefined;
      const receiver = await scene.serve((response, { path }) => {
        if (path === "/hang") release = () => void response.writeHead(200).end();
        else response.writeHead(204).end();
      });
      const http = scene.open();
      const hanging = http.send(requestTo(receiver.url("/hang")));
      for (let count = 0; count < 10; count += 1) expectAnswer(await http.send(requestTo(receiver.url("/go"))));
      await scene.until(() => receiver.requests.length === 11, AMPLE_TIMEOUT_MS, "the request that hangs");
      release();
      expectEqual(expectAnswer(await hanging).status, 200, "the status of the one that hung");
    },
  },
  {
    name: "lets no request wait for as many as a lane may have in flight, all of which hang",
    async play(scene) {
      const held: (() => void)[] = [];
      const receiver = await scene.serve((response, { path }) => {
        const answer = (): void => void response.writeHead(204).end();
        if (path === "/hang") held.push(answer);
        else answer();
      });
      const http = scene.open();
      const hanging = Array.from({ length: MAX_LANE_IN_FLIGHT }, () => http.send(requestTo(receiver.url("/hang"))));
      const oneMore = await http.send(requestTo(receiver.url("/go"), { timeoutMs: SOON_MS }));
      expectEqual(expectAnswer(oneMore).status, 204, "the status of one more");
      await scene.until(() => held.length === MAX_LANE_IN_FLIGHT, AMPLE_TIMEOUT_MS, "the requests that hang");
      for (const answer of held) answer();
      const statuses = (await Promise.all(hanging)).map((reply) => expectAnswer(reply).status);
      expectEqual(new Set(statuses), new Set([204]), "the statuses of those that hung");
    },
  },
  {
    name: "leaves no connection when closed, and answers `local` for requests under way and for later ones",
    needs: ["close"],
    async play(scene) {
      const receiver = await scene.serve((response, { path }) => {
        if (path !== "/hang") response.writeHead(200).write("dripping");
      });
      const deaf = await scene.listen(() => undefined);
      const http = scene.open();
      await http.send(requestTo(receiver.url("/drip")));
      const hanging = http.send(requestTo(receiver.url("/hang")));
      const dialling = http.send(requestTo(endpointId(`https://127.0.0.1:${String(deaf.port)}/`)));
      await scene.until(
        () => receiver.requests.length === 2 && deaf.connections() === 1,
        AMPLE_TIMEOUT_MS,
        "the requests",
      );
      await http.close?.();
      const laterReply = http.send(requestTo(receiver.url()));
      const faults = (await Promise.all([hanging, dialling, laterReply])).map((reply) => expectSilence(reply).fault);
      expectEqual(faults, ["local", "local", "local"], "the faults");
      const openCount = (): number => receiver.openConnections() + deaf.openConnections();
      await scene.until(() => openCount() === 0, AMPLE_TIMEOUT_MS, "the end of all connections");
    },
  },
];

// Connections: they are reused, no request waits for that of another, and they are closed with the adapter.

import { endpointId, type Reply } from "@postrider/core";
import type { Socket } from "node:net";
import { expectEqual } from "../check.js";
import { AMPLE_TIMEOUT_MS, type HttpCase, MIDDLE_TIMEOUT_MS, requestTo } from "./scene.js";

export const CONNECTION_CASES: readonly HttpCase[] = [
  {
    name: "uses a connection again",
    needs: ["ownConnections"],
    async play(scene) {
      const receiver = await scene.serve((response) => response.writeHead(204).end());
      const http = scene.open();
      for (let sent = 0; sent < 5; sent += 1) {
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
      for (let sent = 0; sent < 5; sent += 1) {
        await http.send(requestTo(receiver.url()));
        await scene.settle();
      }
      expectEqual([receiver.requests.length, receiver.connections()], [5, 1], "requests and connections");
    },
  },
  {
    name: "sends no second request if a kept connection is closed or reset in place of an answer",
    async play(scene) {
      const ends: readonly ((socket: Socket) => unknown)[] = [
        (socket) => socket.end(),
        (socket) => socket.resetAndDestroy(),
      ];
      for (const end of ends) {
        const receiver = await scene.converse({
          onRequest(socket, turn) {
            if (turn === 1) end(socket);
            else socket.write("HTTP/1.1 202 X\r\nContent-Length: 0\r\n\r\n");
          },
        });
        const http = scene.open();
        const replies: Reply[] = [];
        for (let sent = 0; sent < 3; sent += 1) {
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
      const all = [mute, deaf];
      await scene.until(() => all.every((receiver) => receiver.openConnections() === 0), AMPLE_TIMEOUT_MS, "closing");
      // Time for an unwanted connection to arrive.
      await scene.wait(100);
      expectEqual(
        all.map((receiver) => receiver.connections()),
        [1, 1],
        "connections ever made",
      );
    },
  },
];

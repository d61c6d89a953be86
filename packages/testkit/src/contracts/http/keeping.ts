// Connections: they are reused, no request waits for that of another, and they are closed with the adapter.

import { endpointId } from "@postrider/core";
import { expectEqual } from "../check.js";
import type { AnswerRequest } from "./receiver.js";
import { AMPLE_TIMEOUT_MS, expectAnswer, type HttpCase, MIDDLE_TIMEOUT_MS, requestTo, expectSilence } from "./scene.js";

const echoPath: AnswerRequest = (response, { path }) => response.writeHead(500).end(path);

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
      for (let sent = 0; sent < 10; sent += 1) expectAnswer(await http.send(requestTo(receiver.url("/go"))));
      await scene.until(() => receiver.requests.length === 11, AMPLE_TIMEOUT_MS, "the request that hangs");
      release();
      expectEqual(expectAnswer(await hanging).status, 200, "the status of the one that hung");
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
      const later = http.send(requestTo(receiver.url()));
      const faults = (await Promise.all([hanging, dialling, later])).map((reply) => expectSilence(reply).fault);
      expectEqual(faults, ["local", "local", "local"], "the faults");
      const open = (): number => receiver.openConnections() + deaf.openConnections();
      await scene.until(() => open() === 0, AMPLE_TIMEOUT_MS, "the end of all connections");
    },
  },
];

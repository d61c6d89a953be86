// Many requests at once, and the end of the adapter.

import { endpointId } from "@postrider/core";
import { expectEqual } from "../check.js";
import type { AnswerRequest } from "./receiver.js";
import { AMPLE_TIMEOUT_MS, expectAnswer, type HttpCase, requestTo, expectSilence } from "./scene.js";

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

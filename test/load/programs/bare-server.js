// As little as node:http can do with callers that show no key: it reads the head, answers 503 and closes. One with a key
// is answered 200 once the body is in. What the good callers of a server that does its work feel is measured against this.

import { createServer } from "node:http";

const BACKLOG = 4_096;

const server = createServer((request, response) => {
  request.resume();
  if (request.headers.authorization === undefined) {
    response.writeHead(503, { Connection: "close" });
    response.end(() => request.socket.destroy());
    return;
  }
  request.once("end", () => response.end());
});
server.listen({ host: "127.0.0.1", port: 0, backlog: BACKLOG }, () => process.send(server.address().port));
process.on("disconnect", () => process.exit(0));

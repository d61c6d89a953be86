// The least that a server of node:http can do: it answers 503 to a head without a key and closes the connection, and answers
// 200 to a request with a key once its body has arrived. The delays of the real server are compared with those of this one.

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

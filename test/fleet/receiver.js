// A receiver that answers 200, and remembers of each message when it arrived first.

import { createServer } from "node:http";
import { json } from "node:stream/consumers";

export async function createReceiver() {
  const arrived = new Map();
  let requests = 0;
  const server = createServer((request, response) => {
    json(request).then(
      ({ messageId }) => {
        requests += 1;
        if (!arrived.has(messageId)) arrived.set(messageId, performance.now());
        response.writeHead(200).end();
      },
      () => response.destroy(),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String(server.address().port)}/hook`,
    has: (id) => arrived.has(id),
    /** By `performance.now()` of this process. */
    arrivedAt: (id) => arrived.get(id),
    requests: () => requests,
    messages: () => arrived.size,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

// A receiver that answers 200, and remembers the ids of the messages that have arrived.

import { createServer } from "node:http";
import { json } from "node:stream/consumers";

export async function createReceiver() {
  const ids = new Set();
  let requests = 0;
  const server = createServer((request, response) => {
    json(request).then(
      ({ messageId }) => {
        requests += 1;
        ids.add(messageId);
        response.writeHead(200).end();
      },
      () => response.destroy(),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String(server.address().port)}/hook`,
    has: (id) => ids.has(id),
    requests: () => requests,
    messages: () => ids.size,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

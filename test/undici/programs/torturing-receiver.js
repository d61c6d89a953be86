// A receiver that answers twice, in a separate process: each request N gets its answer in one of six forms, and in five of six
// cases a further one that nothing asked for, in one of five manners. Tells its port on its channel, and how many it wrote.

import { createServer } from "node:net";
import process from "node:process";

const FORMS = 6;
const OWN_STATUSES = 50;

let seconds = 0;

const server = createServer({ noDelay: true }, (socket) => {
  let text = "";
  /** @type {number | undefined} */
  let current;
  socket.on("error", () => socket.destroy());
  socket.on("data", (piece) => {
    text += piece.toString("latin1");
    const headEnd = text.indexOf("\r\n\r\n") + 4;
    if (headEnd < 4) return;
    const number = Number(/^POST \/(\d+) /.exec(text)?.[1]);
    const isEarly = manner(number) === 5;
    if (current === undefined && isEarly) own(socket, number);
    current = number;
    if (text.length < headEnd + Number(/content-length: (\d+)/i.exec(text)?.[1])) return;
    text = "";
    current = undefined;
    if (!isEarly) own(socket, number);
    again(socket, number);
  });
});

/** @param {number} number */
function manner(number) {
  return Math.floor(number / FORMS) % 6;
}

/** @param {import("node:net").Socket} socket @param {number} number */
function own(socket, number) {
  const [first = "", second] = answer(number);
  // The other answer, where it comes in the same write.
  const more = manner(number) === 1 ? unasked(number) : "";
  if (second === undefined) socket.write(first + more);
  else {
    socket.write(first);
    setImmediate(() => socket.write(second + more));
  }
}

/** The pieces in which the answer to a request comes. @param {number} number */
function answer(number) {
  const good = String(200 + (number % OWN_STATUSES));
  const bad = String(500 + (number % OWN_STATUSES));
  const chunked = "Transfer-Encoding: chunked\r\n\r\n";
  switch (number % FORMS) {
    case 0:
      return [`HTTP/1.1 ${good} X\r\nContent-Length: 2\r\n\r\nok`];
    case 1:
      return [`HTTP/1.1 ${bad} X\r\nContent-Length: 2\r\n\r\nno`];
    case 2:
      return [`HTTP/1.1 ${good} X\r\n${chunked}2\r\nok\r\n0\r\n\r\n`];
    case 3:
      return [`HTTP/1.1 ${bad} X\r\n${chunked}2\r\nno\r\n`, "0\r\n\r\n"];
    case 4:
      return [`HTTP/1.1 ${good} X\r\nKeep-Alive: timeout=5\r\nContent-Length: 0\r\n\r\n`];
    default:
      return [`HTTP/1.1 ${bad} X\r\nContent-Length: 2\r\n\r\n`, "no"];
  }
}

/** @param {import("node:net").Socket} socket @param {number} number */
function again(socket, number) {
  const write = () => {
    if (!socket.destroyed) socket.write(unasked(number));
  };
  const how = manner(number);
  if (how === 2) setImmediate(() => setImmediate(write));
  else if (how === 3) setTimeout(write, 1);
  else if (how === 4) setTimeout(write, 4);
  else if (how === 5) setImmediate(write);
}

/** The answer that nothing asked for; its status tells it from each that was. @param {number} number */
function unasked(number) {
  seconds += 1;
  const status = (number % 2 === 0 ? 250 : 550) + (number % 50);
  return `HTTP/1.1 ${String(status)} Again\r\nContent-Length: 5\r\n\r\nagain`;
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.({ port: address.port });
});
process.on("message", () => process.send?.({ seconds }));
process.on("disconnect", () => process.exit());

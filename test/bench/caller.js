// Callers: connections to the ingest API that send requests and read the answers. Raw sockets and callbacks, since their
// CPU counts in the result.

import { connect } from "node:net";
import { now } from "./now.js";

const HEAD_END = "\r\n\r\n";

/** Opens a connection. `post(bytes, onAnswer)` is for one request at a time; `onAnswer(at)` comes with its 200. */
export async function openCaller(url, onFault) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  let onAnswer;
  let text = "";
  socket.on("error", onFault);
  socket.on("close", () => {
    if (onAnswer !== undefined) onFault(new Error("the server closed a connection on which a call was under way"));
  });
  socket.on("data", (chunk) => {
    const at = now();
    text += chunk.latin1Slice();
    if (!isWhole(text)) return;
    const whole = text;
    const answered = onAnswer;
    text = "";
    onAnswer = undefined;
    if (answered === undefined || !whole.startsWith("HTTP/1.1 200 ")) onFault(new Error(`an answer: ${whole}`));
    else answered(at);
  });
  return {
    post(bytes, callback) {
      onAnswer = callback;
      socket.write(bytes);
    },
    isIdle: () => onAnswer === undefined && !socket.destroyed,
    close() {
      onAnswer = undefined;
      socket.destroy();
    },
  };
}

function isWhole(text) {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return false;
  const length = /content-length: (\d+)/i.exec(text);
  if (length === null) throw new Error(`an answer without a length: ${text}`);
  return text.length >= headEnd + HEAD_END.length + Number(length[1]);
}

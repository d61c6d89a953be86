// The public face of the zoo: receivers with bad habits as data, and the real sockets that play them.

export {
  type Authority,
  type CertificateWish,
  createAuthority,
  createSelfSigned,
  type Identity,
} from "../contracts/http/certificates.js";
export type { Expected, Habit } from "./hostile-receiver.js";
export type { ReceivedRequest } from "./read-requests.js";
export type { ReceiverScript, Step, TlsScript } from "./script.js";
export { type ScriptedReceiver, startReceiver } from "./start-receiver.js";
export { answering, ZOO } from "./hostile-receivers.js";

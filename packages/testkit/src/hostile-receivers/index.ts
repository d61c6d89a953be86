// The public face of hostile-receivers: receivers that misbehave, as data, and the real sockets that play them.

export {
  type Authority,
  type CertificateWish,
  createAuthority,
  createSelfSigned,
  type Identity,
} from "../contracts/http/certificates.js";
export type { Expected, HostileReceiver } from "./hostile-receiver.js";
export type { ReceivedRequest } from "./read-requests.js";
export type { ReceiverScript, ScriptStep, TlsScript } from "./script.js";
export { type ScriptedReceiver, startReceiver } from "./start-receiver.js";
export { answering, HOSTILE_RECEIVERS } from "./hostile-receivers.js";

// The public face of hostile-receivers: receivers that misbehave, as data, and the real sockets that play them.

export {
  type Authority,
  type CertificateOptions,
  createAuthority,
  createSelfSignedCertificate,
  type TlsIdentity,
} from "../contracts/http/certificates.js";
export type { ExpectedReply, HostileReceiver, ReceiverScript, ScriptStep } from "./hostile-receiver.js";
export { type ReceivedRequest, type ScriptedReceiver, startReceiver } from "./start-receiver.js";
export { answeringScript, HOSTILE_RECEIVERS } from "./hostile-receivers.js";

// Starts a receiver that plays a script on a real socket of this machine, and records what arrives.

import { type Clock, type EndpointId, endpointId } from "@postrider/core";
import type { TlsIdentity } from "../contracts/http/certificates.js";
import { startRawReceiver } from "../contracts/http/receiver.js";
import { playScript } from "./play-script.js";
import type { ReceivedRequest } from "./read-requests.js";
import type { ReceiverScript, TlsScript } from "./script.js";

/** A receiver on 127.0.0.1. */
export interface ScriptedReceiver {
  readonly url: EndpointId;
  readonly port: number;
  /** The requests that its steps have read, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** Bytes that arrived; with TLS, only the decrypted bytes. */
  bytesSeen(): number;
  /** Connections ever made, and those open now. */
  connections(): number;
  openConnections(): number;
  close(): Promise<void>;
}

/**
 * Starts a receiver on a free port, and resolves once it listens. `drips` and `waits` use the clock, which must be a
 * real one, as the sockets are real.
 */
export async function startReceiver(script: ReceiverScript, clock: Clock): Promise<ScriptedReceiver> {
  const requests: ReceivedRequest[] = [];
  const receiver = await startRawReceiver(
    {
      greet(socket) {
        const note = (request: ReceivedRequest): void => void requests.push(request);
        const die = (): void => void receiver.close();
        void playScript(script.steps, { clock, socket, note, die });
      },
    },
    script.tls === undefined ? undefined : describeTls(script.tls),
  );
  const scheme = script.scheme ?? (script.tls === undefined ? "http" : "https");
  return {
    url: endpointId(`${scheme}://127.0.0.1:${String(receiver.port)}/`),
    port: receiver.port,
    requests,
    bytesSeen: () => receiver.bytesSeen(),
    connections: () => receiver.connections(),
    openConnections: () => receiver.openConnections(),
    close: () => receiver.close(),
  };
}

/** The options of node:tls for a script. */
interface TlsSetting extends TlsIdentity {
  readonly minVersion: "TLSv1";
  readonly maxVersion: NonNullable<TlsScript["maxVersion"]>;
  readonly ciphers: string;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
}

function describeTls({ identity, maxVersion = "TLSv1.3", wantsClientCertificate = false }: TlsScript): TlsSetting {
  return {
    ...identity,
    minVersion: "TLSv1",
    maxVersion,
    // Any cipher, however old and weak: to refuse it is the task of the adapter under test.
    ciphers: "ALL:@SECLEVEL=0",
    requestCert: wantsClientCertificate,
    rejectUnauthorized: wantsClientCertificate,
  };
}

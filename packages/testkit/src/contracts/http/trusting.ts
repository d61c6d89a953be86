// Trust: no byte of HTTP is sent before the receiver has shown a valid certificate (spec, webhook destination §4, rule
// 3).

import type { Fault } from "@postrider/core";
import { expectEqual } from "../check.js";
import { createAuthority, createSelfSignedCertificate, type TlsIdentity } from "./certificates.js";
import type { AnswerRequest } from "./receiver.js";
import { expectAnswer, type HttpCase, type HttpScene, requestTo, expectSilence } from "./scene.js";

export const HERE: readonly string[] = ["127.0.0.1"];

export const TRUST_CASES: readonly HttpCase[] = [
  {
    name: "delivers over TLS to a receiver whose certificate a given authority has signed",
    needs: ["authorities"],
    async play(scene) {
      const receiver = await scene.serve((response) => response.writeHead(204).end(), {
        identity: scene.authority.issue({ hosts: HERE }),
      });
      const reply = await scene.open({ ca: [scene.authority.cert] }).send(requestTo(receiver.url()));
      expectEqual(expectAnswer(reply).status, 204, "the status");
    },
  },
  {
    name: "checks the certificate for the name in the URL, not for the address of that name",
    needs: ["authorities", "ownResolver"],
    async play(scene) {
      const accept: AnswerRequest = (response) => response.writeHead(204).end();
      const http = scene.open({ ca: [scene.authority.cert], names: () => Promise.resolve(HERE) });
      const named = await scene.serve(accept, { identity: scene.authority.issue({ hosts: ["inside.example"] }) });
      for (const host of ["inside.example", "inside.example."]) {
        expectAnswer(await http.send(requestTo(named.url("/", host))));
      }
      const addressed = await scene.serve(accept, { identity: scene.authority.issue({ hosts: HERE }) });
      expectSilence(await http.send(requestTo(addressed.url("/", "inside.example"))));
      expectEqual(addressed.requestsBegun(), 0, "requests to a receiver with a certificate for its address alone");
    },
  },
  {
    name: "sends nothing to a self-signed receiver",
    play: async (scene) => {
      await expectNothingSent(scene, createSelfSignedCertificate({ hosts: HERE }));
    },
  },
  {
    name: "sends nothing to a receiver whose certificate an unknown authority has signed",
    play: async (scene) => {
      await expectNothingSent(scene, createAuthority("Unknown").issue({ hosts: HERE }));
    },
  },
];

/** Sends a request to a receiver with this certificate, which must get no byte of the request. Returns the fault. */
export async function expectNothingSent(
  scene: HttpScene,
  identity: TlsIdentity,
  ca?: readonly string[],
): Promise<Fault> {
  const receiver = await scene.listen(() => undefined, identity);
  const http = scene.open({ ca: ca ?? [scene.authority.cert] });
  const { fault } = expectSilence(await http.send(requestTo(receiver.url())));
  // Data that was sent by mistake may still be on its way.
  await scene.settle();
  expectEqual(receiver.bytesSeen(), 0, "bytes of HTTP that the receiver saw");
  return fault;
}

// Cases of trust: no byte of HTTP is sent before the receiver has shown a valid certificate (spec, webhook destination
// §4, rule 3), whatever the environment of the adapter says.

import type { Fault } from "@postrider/core";
import { env } from "node:process";
import { expectEqual } from "../check.js";
import { createAuthority, createSelfSignedCertificate, type TlsIdentity } from "./certificates.js";
import type { AnswerRequest } from "./receiver.js";
import { expectAnswer, type HttpCase, type HttpScene, requestTo, expectSilence } from "./scene.js";

const RECEIVER_HOSTS: readonly string[] = ["127.0.0.1"];

export const TRUST_CASES: readonly HttpCase[] = [
  {
    name: "delivers over TLS to a receiver whose certificate a given authority has signed",
    needs: ["authorities"],
    async play(scene) {
      const receiver = await scene.serve((response) => response.writeHead(204).end(), {
        identity: scene.authority.issue({ hosts: RECEIVER_HOSTS }),
      });
      const reply = await scene.open({ ca: [scene.authority.cert] }).send(requestTo(receiver.url()));
      expectEqual(expectAnswer(reply).status, 204, "the status");
    },
  },
  {
    name: "checks the certificate for the name in the URL, not for the address of that name",
    needs: ["authorities", "ownResolver"],
    async play(scene) {
      const answer204: AnswerRequest = (response) => response.writeHead(204).end();
      const http = scene.open({ ca: [scene.authority.cert], names: () => Promise.resolve(RECEIVER_HOSTS) });
      const namedReceiver = await scene.serve(answer204, {
        identity: scene.authority.issue({ hosts: ["inside.example"] }),
      });
      for (const host of ["inside.example", "inside.example."]) {
        expectAnswer(await http.send(requestTo(namedReceiver.url("/", host))));
      }
      const addressReceiver = await scene.serve(answer204, {
        identity: scene.authority.issue({ hosts: RECEIVER_HOSTS }),
      });
      expectSilence(await http.send(requestTo(addressReceiver.url("/", "inside.example"))));
      expectEqual(
        addressReceiver.requestsBegun(),
        0,
        "requests to a receiver with a certificate for its address alone",
      );
    },
  },
  {
    name: "sends nothing to a self-signed receiver",
    play: async (scene) => {
      await expectNothingSent(scene, createSelfSignedCertificate({ hosts: RECEIVER_HOSTS }));
    },
  },
  {
    name: "sends nothing to a receiver whose certificate an unknown authority has signed",
    play: async (scene) => {
      await expectNothingSent(scene, createAuthority("Unknown").issue({ hosts: RECEIVER_HOSTS }));
    },
  },
];

/** Sends a request to a receiver with this certificate, which must get no byte of the request. Returns the fault. */
async function expectNothingSent(scene: HttpScene, identity: TlsIdentity, ca?: readonly string[]): Promise<Fault> {
  const receiver = await scene.listen(() => undefined, identity);
  const http = scene.open({ ca: ca ?? [scene.authority.cert] });
  const { fault } = expectSilence(await http.send(requestTo(receiver.url())));
  // Data that was sent by mistake may still be on its way.
  await scene.settle();
  expectEqual(receiver.bytesSeen(), 0, "bytes of HTTP that the receiver saw");
  return fault;
}

const PAST = new Date("2001-01-01T00:00:00Z");

const FUTURE = new Date("2048-01-01T00:00:00Z");

export const DISTRUST_CASES: readonly HttpCase[] = [
  distrustCase("self-signed", "a self-signed receiver", () => createSelfSignedCertificate({ hosts: RECEIVER_HOSTS })),
  distrustCase("certificate-issuer", "a receiver whose certificate an unknown authority has signed", () =>
    createAuthority("Unknown").issue({ hosts: RECEIVER_HOSTS }),
  ),
  distrustCase("certificate-issuer", "a receiver that brings its unknown authority along", () => {
    const unknownAuthority = createAuthority("Unknown");
    const { cert, key } = unknownAuthority.issue({ hosts: RECEIVER_HOSTS });
    return { cert: `${cert}${unknownAuthority.cert}`, key };
  }),
  distrustCase("certificate-host", "a receiver that shows a certificate for other hosts", ({ authority }) =>
    authority.issue({ hosts: ["other.example", "127.0.0.2"] }),
  ),
  distrustCase("certificate-expired", "a receiver whose certificate has expired", ({ authority }) =>
    authority.issue({ hosts: RECEIVER_HOSTS, notAfter: PAST }),
  ),
  distrustCase("certificate-expired", "a receiver whose certificate is not valid yet", ({ authority }) =>
    authority.issue({ hosts: RECEIVER_HOSTS, notBefore: FUTURE }),
  ),
  {
    name: "answers `self-signed` also with NODE_TLS_REJECT_UNAUTHORIZED=0, and sends nothing",
    needs: ["strictTls", "certificateFaults"],
    async play(scene) {
      const identity = createSelfSignedCertificate({ hosts: RECEIVER_HOSTS });
      await withoutVerification(async () => {
        expectEqual(await expectNothingSent(scene, identity), "self-signed", "the fault");
      });
    },
  },
  {
    name: "answers `certificate-host` also with NODE_TLS_REJECT_UNAUTHORIZED=0, and sends nothing",
    needs: ["strictTls", "certificateFaults", "authorities"],
    async play(scene) {
      const identity = scene.authority.issue({ hosts: ["other.example"] });
      await withoutVerification(async () => {
        expectEqual(await expectNothingSent(scene, identity), "certificate-host", "the fault");
      });
    },
  },
  {
    name: "answers `self-signed` also for a receiver whose certificate is among the authorities, and sends nothing",
    needs: ["strictTls", "certificateFaults", "authorities"],
    async play(scene) {
      const identity = createSelfSignedCertificate({ hosts: RECEIVER_HOSTS });
      expectEqual(await expectNothingSent(scene, identity, [identity.cert]), "self-signed", "the fault");
    },
  },
];

function distrustCase(fault: Fault, receiver: string, identify: (scene: HttpScene) => TlsIdentity): HttpCase {
  return {
    name: `answers \`${fault}\` for ${receiver}, and sends nothing`,
    needs: ["certificateFaults", "authorities"],
    async play(scene) {
      expectEqual(await expectNothingSent(scene, identify(scene)), fault, "the fault");
    },
  };
}

/** Runs while an environment variable makes Node accept any certificate. */
async function withoutVerification(run: () => Promise<void>): Promise<void> {
  const { NODE_TLS_REJECT_UNAUTHORIZED: valueBefore } = env;
  env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  try {
    await run();
  } finally {
    if (valueBefore === undefined) delete env["NODE_TLS_REJECT_UNAUTHORIZED"];
    else env["NODE_TLS_REJECT_UNAUTHORIZED"] = valueBefore;
  }
}

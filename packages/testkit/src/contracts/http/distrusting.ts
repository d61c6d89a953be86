// Certificates that an adapter must not trust, whatever its environment says.

import type { Fault } from "@postrider/core";
import { env } from "node:process";
import { expectEqual } from "../check.js";
import { createAuthority, createSelfSignedCertificate, type TlsIdentity } from "./certificates.js";
import { type HttpCase, type HttpScene } from "./scene.js";
import { HERE, expectNothingSent } from "./trusting.js";

const PAST = new Date("2001-01-01T00:00:00Z");
const FUTURE = new Date("2048-01-01T00:00:00Z");

export const DISTRUST_CASES: readonly HttpCase[] = [
  distrust("self-signed", "a self-signed receiver", () => createSelfSignedCertificate({ hosts: HERE })),
  distrust("certificate-issuer", "a receiver whose certificate an unknown authority has signed", () =>
    createAuthority("Unknown").issue({ hosts: HERE }),
  ),
  distrust("certificate-issuer", "a receiver that brings its unknown authority along", () => {
    const unknown = createAuthority("Unknown");
    const { cert, key } = unknown.issue({ hosts: HERE });
    return { cert: `${cert}${unknown.cert}`, key };
  }),
  distrust("certificate-host", "a receiver that shows a certificate for other hosts", ({ authority }) =>
    authority.issue({ hosts: ["other.example", "127.0.0.2"] }),
  ),
  distrust("certificate-expired", "a receiver whose certificate has expired", ({ authority }) =>
    authority.issue({ hosts: HERE, notAfter: PAST }),
  ),
  distrust("certificate-expired", "a receiver whose certificate is not valid yet", ({ authority }) =>
    authority.issue({ hosts: HERE, notBefore: FUTURE }),
  ),
  {
    name: "answers `self-signed` also with NODE_TLS_REJECT_UNAUTHORIZED=0, and sends nothing",
    needs: ["strictTls", "certificateFaults"],
    async play(scene) {
      const identity = createSelfSignedCertificate({ hosts: HERE });
      await disarmed(async () => {
        expectEqual(await expectNothingSent(scene, identity), "self-signed", "the fault");
      });
    },
  },
  {
    name: "answers `certificate-host` also with NODE_TLS_REJECT_UNAUTHORIZED=0, and sends nothing",
    needs: ["strictTls", "certificateFaults", "authorities"],
    async play(scene) {
      const identity = scene.authority.issue({ hosts: ["other.example"] });
      await disarmed(async () => {
        expectEqual(await expectNothingSent(scene, identity), "certificate-host", "the fault");
      });
    },
  },
  {
    name: "answers `self-signed` also for a receiver whose certificate is among the authorities, and sends nothing",
    needs: ["strictTls", "certificateFaults", "authorities"],
    async play(scene) {
      const identity = createSelfSignedCertificate({ hosts: HERE });
      expectEqual(await expectNothingSent(scene, identity, [identity.cert]), "self-signed", "the fault");
    },
  },
];

function distrust(fault: Fault, receiver: string, identify: (scene: HttpScene) => TlsIdentity): HttpCase {
  return {
    name: `answers \`${fault}\` for ${receiver}, and sends nothing`,
    needs: ["certificateFaults", "authorities"],
    async play(scene) {
      expectEqual(await expectNothingSent(scene, identify(scene)), fault, "the fault");
    },
  };
}

/** Runs while an environment variable makes Node accept any certificate. */
async function disarmed(run: () => Promise<void>): Promise<void> {
  const { NODE_TLS_REJECT_UNAUTHORIZED: before } = env;
  env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  try {
    await run();
  } finally {
    if (before === undefined) delete env["NODE_TLS_REJECT_UNAUTHORIZED"];
    else env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
  }
}

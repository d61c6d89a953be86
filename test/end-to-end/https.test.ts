// The real program behind TLS: Segment's own library and our commands as separate processes that trust an authority of the
// test, and another certificate at SIGHUP. Needs `tsc -b`.

import { execFile } from "node:child_process";
import { verifySignature } from "@postrider/core";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import type { TlsIdentity } from "@postrider/testkit/hostile-receivers";
import { describe, expect, it } from "vitest";
import { look, SECRET, TOKEN, WRITE_KEY } from "../canary.js";
import { tempFolder } from "../postrider/config-file.js";
import { AUTHORITY, HOSTS, pairFiles } from "../postrider/server/tls/pair-files.js";
import { createReceiver, until } from "./receiver.js";
import { createScene, destination } from "./scene.js";
import { runProcess, serve } from "./server-process.js";

async function secureScene() {
  const receiver = await createReceiver(200);
  const scene = createScene([destination([receiver.url], { sharedSecret: SECRET })]);
  const pair = pairFiles(AUTHORITY.issue(HOSTS));
  const { certFile, keyFile } = pair.files;
  const server = await serve(scene.config, { words: ["--tls-cert", certFile, "--tls-key", keyFile] });
  const ca = join(tempFolder(), "ca.pem");
  writeFileSync(ca, AUTHORITY.cert);
  return { receiver, server, write: pair.write, trusting: { NODE_EXTRA_CA_CERTS: ca } };
}

/** What a program with Segment's library prints. */
function callBySegment(url: string, env: Readonly<Record<string, string>>): Promise<string> {
  const args = ["test/end-to-end/programs/segment-calls.js", url, WRITE_KEY];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...process.env, ...env } }, (_, stdout, stderr) => {
      look("the output of a program", [stdout, stderr]);
      resolve(`${stdout}${stderr}`);
    });
  });
}

async function shownBy(url: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port), rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

function fingerprintOf({ cert }: TlsIdentity): string {
  return new X509Certificate(cert).fingerprint256;
}

describe("Segment's own library for Node, over https", () => {
  it("delivers every kind of call, signed", async () => {
    const { receiver, server, trusting } = await secureScene();
    expect(server.url).toMatch(/^https:/);
    expect(await callBySegment(server.url, trusting)).toBe("");
    await receiver.count(6);
    const kinds = receiver.requests.map(({ message }) => message["type"]);
    expect(kinds.sort()).toEqual(["alias", "group", "identify", "page", "screen", "track"]);
    for (const { body, headers } of receiver.requests) {
      expect(verifySignature(SECRET, body, headers["x-signature"] as string)).toBe(true);
    }
  });

  it("sends nothing if it does not trust the certificate, and the server logs that a handshake failed", async () => {
    const { receiver, server } = await secureScene();
    expect(await callBySegment(server.url, {})).toContain("failed");
    await until(() => server.log().some(({ code }) => code === "handshake-failed"), "line of the log");
    expect(receiver.requests).toEqual([]);
  });
});

describe("the commands of the program, over https", () => {
  it("work when they trust the authority, and give the reason if they do not", async () => {
    const { receiver, server, trusting } = await secureScene();
    const words = [
      "send",
      "--url",
      server.url,
      "--write-key",
      WRITE_KEY,
      "track",
      "--user",
      "u1",
      "--event",
      "Signed Up",
    ];
    const trusted = runProcess(words, { env: trusting });
    expect(await trusted.exit).toMatchObject({ code: 0 });
    await receiver.count(1);
    const doctor = runProcess(["doctor", "--url", server.url, "--write-key", WRITE_KEY, "--token", TOKEN], {
      env: trusting,
    });
    expect(await doctor.exit).toMatchObject({ code: 0 });
    const wary = runProcess(words);
    expect(await wary.exit).toMatchObject({ code: 1 });
    expect(wary.err.join("\n")).toMatch(/UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT_LOCALLY)/);
  });
});

describe("SIGHUP", () => {
  it("puts a new certificate in force, and keeps it when the next one is bad", async () => {
    const { server, write } = await secureScene();
    const next = AUTHORITY.issue(HOSTS);
    write(next);
    server.signal("SIGHUP");
    await until(() => server.log().some(({ code }) => code === "certificate-replaced"), "another certificate");
    expect(await shownBy(server.url)).toBe(fingerprintOf(next));
    write({ ...AUTHORITY.issue(HOSTS), key: "" });
    server.signal("SIGHUP");
    await until(() => server.log().some(({ code }) => code === "certificate-refused"), "refused certificate");
    expect(await shownBy(server.url)).toBe(fingerprintOf(next));
    expect(await server.end()).toEqual({ code: 0, signal: null });
  });
});

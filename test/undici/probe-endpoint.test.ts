// A probe finds the fault that a delivery would have, and sends nothing but a TLS handshake.

import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { createSystemClock } from "@postrider/system";
import { answeringScript, startReceiver } from "@postrider/testkit/hostile-receivers";
import { createEndpointProbe, type Network } from "@postrider/undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { BAD, GOOD } from "../hostile/tls-cases.js";

const clock = createSystemClock();
const LIMIT_MS = 60_000;
const HERE = "127.0.0.1";

function probeOf(network: Network, resolve = async (): Promise<readonly string[]> => [HERE], limitMs = LIMIT_MS) {
  return createEndpointProbe({ clock, network, resolve, limitMs });
}

/** In TLS 1.3 a receiver asks for the client's certificate once the client has ended its handshake: a probe cannot see it. */
const SEEN_BY_PROBES = BAD.filter(
  ({ script }) => script.tls?.wantsClientCertificate !== true || script.tls.maxVersion === "TLSv1.2",
);

describe("a probe of a receiver with", () => {
  it.each(SEEN_BY_PROBES)("$what names the fault, and sends no byte of HTTP", async ({ script, host, ca, faults }) => {
    const receiver = await startReceiver(script, clock);
    onTestFinished(() => receiver.close());
    const probed = await probeOf({ allow: [HERE], ca })(`https://${host}:${String(receiver.port)}/`);
    expect(faults).toContain(probed.fault);
    expect(probed.addresses).toEqual([{ address: HERE, isAllowed: true, isDialled: true }]);
    expect(receiver.bytesSeen()).toBe(0);
  });

  it.each(GOOD)("$what tells when its certificate ends", async ({ script, host, ca }) => {
    const receiver = await startReceiver(script, clock);
    onTestFinished(() => receiver.close());
    const probed = await probeOf({ allow: [HERE], ca })(`https://${host}:${String(receiver.port)}/`);
    expect(probed.fault).toBeUndefined();
    expect(Date.parse(probed.certificateEndsAt!)).toBeGreaterThan(clock.wall());
    expect([receiver.connections(), receiver.bytesSeen(), receiver.requests.length]).toEqual([1, 0, 0]);
  });
});

describe("a probe", () => {
  it("connects to an http receiver and sends nothing", async () => {
    const receiver = await startReceiver(answeringScript(204), clock);
    onTestFinished(() => receiver.close());
    expect(await probeOf({ allow: [HERE] })(`http://${HERE}:${String(receiver.port)}`)).toEqual({
      addresses: [{ address: HERE, isAllowed: true, isDialled: true }],
    });
    expect(receiver.bytesSeen()).toBe(0);
  });

  it("tells which addresses of a name are refused, and makes no connection if one is", async () => {
    let connections = 0;
    const server = createServer(() => (connections += 1)).listen(0, HERE);
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const probe = probeOf({}, async () => ["198.41.0.4", HERE, "10.0.0.1"]);
    expect(await probe(`http://receiver.example:${String(port)}`)).toEqual({
      fault: "forbidden-address",
      addresses: [
        { address: "198.41.0.4", isAllowed: true, isDialled: false },
        { address: HERE, isAllowed: false, isDialled: false },
        { address: "10.0.0.1", isAllowed: false, isDialled: false },
      ],
    });
    expect(await probeOf({})(`http://[::1]:${String(port)}`)).toEqual({
      fault: "forbidden-address",
      addresses: [{ address: "::1", isAllowed: false, isDialled: false }],
    });
    expect(connections).toBe(0);
  });

  it("leaves out the other addresses of a name that has an allowed one", async () => {
    const receiver = await startReceiver(answeringScript(204), clock);
    onTestFinished(() => receiver.close());
    const probe = probeOf({ allow: [HERE] }, async () => ["10.0.0.1", HERE, "198.41.0.4"]);
    expect(await probe(`http://receiver.example:${String(receiver.port)}`)).toEqual({
      addresses: [
        { address: "10.0.0.1", isAllowed: false, isDialled: false },
        { address: HERE, isAllowed: true, isDialled: true },
        { address: "198.41.0.4", isAllowed: true, isDialled: false },
      ],
    });
    expect(receiver.connections()).toBe(1);
  });

  it.each([
    ["a name, without the dot at its end", "receiver.example.", true],
    ["no address", HERE, false],
  ])("says in the first message of TLS which host it wants: %s", async (_, host, isTold) => {
    let hello = Buffer.alloc(0);
    const server = createServer((socket) => {
      socket.once("data", (bytes) => {
        hello = bytes;
        socket.destroy();
      });
    }).listen(0, HERE);
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await probeOf({ allow: [HERE] })(`https://${host}:${String(port)}`);
    // The extension with the name: a list of one, of the type for host names, with its length before it.
    const name = host.replace(/\.$/, "");
    const told = Buffer.concat([Buffer.of(0, name.length + 3, 0, 0, name.length), Buffer.from(name)]);
    expect(hello.length).toBeGreaterThan(0);
    expect(hello.includes(told)).toBe(isTold);
  });

  it("ends after its limit while a name is looked up, or a receiver says nothing", async () => {
    const never = (): Promise<never> => new Promise(() => undefined);
    expect(await probeOf({}, never, 50)("https://receiver.example")).toEqual({ fault: "timeout", addresses: [] });
    const silent = createServer(() => undefined).listen(0, HERE);
    await new Promise((resolve) => silent.once("listening", resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const probe = probeOf({ allow: [HERE] }, async () => [HERE], 50);
    expect(await probe(`https://receiver.example:${String(port)}`)).toMatchObject({ fault: "timeout" });
  });

  it("names the fault of a look-up, and of a port at which nothing listens", async () => {
    const unknown = async (): Promise<never> => {
      throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
    };
    expect(await probeOf({}, unknown)("https://receiver.example")).toEqual({ fault: "dns", addresses: [] });
    const server = createServer().listen(0, HERE);
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await probeOf({ allow: [HERE] })(`http://${HERE}:${String(port)}`)).toMatchObject({
      fault: "connection-refused",
    });
  });

  it("refuses network settings that are wrong", () => {
    expect(() => probeOf({ allow: ["localhost"] })).toThrow("network.allow[0]");
    expect(() => probeOf({ ca: ["no PEM"] })).toThrow("network.ca[0]");
  });
});

// Names that are never answered: they end at the receiver's timeout, and delay no other name (promise A5, A11).

import { answeringScript, startReceiver } from "@postrider/testkit/hostile-receivers";
import { createUndiciHttp } from "@postrider/undici";
import { expect, it, onTestFinished } from "vitest";
import { createAskDns, createResolveName } from "../../packages/undici/src/resolve-name.js";
import { createSkippingClock } from "../postrider/skipping-clock.js";
import { type Said, startDnsServer } from "./dns-server.js";
import { post, wordFor } from "./measure.js";
import { nameFiles } from "./name-files.js";

const clock = createSkippingClock();
const readFiles = async () => nameFiles({});
/** More than the busiest machine needs. */
const AMPLE_MS = 60_000;

async function openWith(say: (name: string) => Said | undefined) {
  const server = await startDnsServer(say);
  const askSystem = (): Promise<never> => new Promise(() => undefined);
  const resolve = createResolveName({ clock, readFiles, askDns: createAskDns(clock, [server.address]), askSystem });
  const http = createUndiciHttp({ clock, network: { allow: ["127.0.0.0/8"] }, resolve });
  const receiver = await startReceiver(answeringScript(204), clock);
  onTestFinished(async () => {
    await Promise.all([http.close(), receiver.close(), server.close()]);
  });
  return { http, receiver };
}

it("names that hang, a hundred at once, end at their timeout and delay no other name", async () => {
  const { http, receiver } = await openWith((name) =>
    name === "good.example" ? { kind: "addresses", a: ["127.0.0.1"] } : { kind: "hangs" },
  );
  let ended = 0;
  const send = async (url: string): Promise<string> => {
    const word = wordFor(await http.send(post(url, AMPLE_MS)));
    ended += 1;
    return word;
  };
  const hanging = Array.from({ length: 100 }, (_, index) => send(`http://hangs-${String(index)}.example/`));
  // The system's resolver, which never answers, is asked for these.
  const unknown = Array.from({ length: 10 }, (_, index) => send(`http://unknown-${String(index)}.local/`));
  expect(await send(`http://good.example:${String(receiver.port)}/`)).toBe("204");
  expect(ended).toBe(1);

  clock.skip(AMPLE_MS);
  expect(new Set(await Promise.all([...hanging, ...unknown]))).toEqual(new Set(["timeout"]));
});

it("a name that DNS does not know is `dns`, as is one whose servers fail, and neither is `local`", async () => {
  const { http } = await openWith((name) => (name === "broken.example" ? { kind: "fails" } : { kind: "addresses" }));
  expect(wordFor(await http.send(post("http://broken.example/", AMPLE_MS)))).toBe("dns");
});

it("a resolver that does not run is `local`", async () => {
  const gone = await startDnsServer(() => undefined);
  await gone.close();
  const askDns = createAskDns(clock, [gone.address]);
  const resolve = createResolveName({ clock, readFiles, askDns, askSystem: async () => [] });
  const http = createUndiciHttp({ clock, resolve });
  expect(wordFor(await http.send(post("http://receiver.example/", AMPLE_MS)))).toBe("local");
  await http.close();
});

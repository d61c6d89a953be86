import { hostname } from "node:os";
import { API_VERSION } from "../../../packages/http/src/api/contract/operation.js";
import { CONFIG_VERSION } from "@postrider/relay/settings";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROGRAM_VERSION } from "../../../packages/postrider/src/assembly/program-version.js";
import { createPostrider } from "../../../packages/postrider/src/embed/create-postrider.js";
import { TOKEN } from "../../canary.js";
import { read } from "../../house/packages.js";
import { serverOf } from "../server.js";

const SERVER = `${hostname()}/${String(process.pid)}`;
const VERSIONS = { program: PROGRAM_VERSION, server: SERVER, api: API_VERSION, config: CONFIG_VERSION };
const headers = { authorization: `Bearer ${TOKEN}` };

describe("the version of the program", () => {
  it("is that of package.json", () => {
    expect(JSON.parse(read("packages/postrider/package.json"))).toHaveProperty("version", PROGRAM_VERSION);
  });

  it("is told by the API of a server", async () => {
    const { server } = await serverOf({ store: "memory:", apiToken: TOKEN, sources: [], destinations: [] });
    const answer = await fetch(`${server.url}/api/version`, { headers });
    expect([answer.status, await answer.json()]).toEqual([200, VERSIONS]);
  });

  it("is told by the API of a host that embeds Postrider", async () => {
    const postrider = await createPostrider({ store: "memory:", apiToken: TOKEN });
    onTestFinished(() => postrider.close());
    const answer = await postrider.fetch(new Request("http://localhost/api/version", { headers }));
    expect([answer.status, await answer.json()]).toEqual([200, VERSIONS]);
  });
});

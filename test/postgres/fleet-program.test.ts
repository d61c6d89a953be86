// `npm run fleet` in small: what a reader runs first must work, and say so by its exit status.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";

const PROGRAM = fileURLToPath(new URL("../fleet/run.js", import.meta.url));
const run = promisify(execFile);

describe("the fleet that is shown", () => {
  it.skipIf(installedServers().length === 0)("loses nothing when one of its servers is killed, and ends", async () => {
    const { stdout } = await run(process.execPath, [PROGRAM, "--seconds", "8"]);
    expect(stdout).toMatch(/server 2 is killed with SIGKILL/u);
    expect(stdout).toMatch(/^lost +0$/mu);
    expect(stdout).toMatch(/Nothing that was answered is lost/u);
  });

  it("refuses words that it does not know, with status 2", async () => {
    const refused = run(process.execPath, [PROGRAM, "--servers", "1"]);
    await expect(refused).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--servers wants/u) as string,
    });
  });
});

// Mistakes in a config, each with what `check` says of it: the path, the reason, the remedy, and never a value that may be a
// secret.

import { DOCS_URL } from "@postrider/core/engine";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../../../canary.js";
import { tempFolder } from "../../config-file.js";
import { run } from "../../test-host.js";
import { JSON_MISTAKES } from "./json-mistakes.js";
import { DESTINATION, FOLDER, good, type Mistake, NOTHING, withDestination } from "./mistake.js";
import { REFUSED_MISTAKES } from "./refused-mistakes.js";
import { SILENT_MISTAKES } from "./silent-mistakes.js";

const MISTAKES = [...JSON_MISTAKES, ...REFUSED_MISTAKES, ...SILENT_MISTAKES];
const ENV = { EMPTY: "", PORT: "8080" };

function write(file: string, content: Mistake["content"]): void {
  if (content === NOTHING) return;
  if (content === FOLDER) mkdirSync(file);
  else writeFileSync(file, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content));
}

/** The last line of a refusal. */
const MEANING = `what each code means: ${DOCS_URL}/errors.md#the-config`;

/** What `check` writes, with the folder of the config left out. */
async function checked(content: Mistake["content"], ...options: readonly string[]) {
  const folder = tempFolder();
  const file = join(folder, "postrider.json");
  write(file, content);
  const { code, err } = await run(["check", ...options, "--config", file], ENV);
  return { status: code, says: err.map((line) => line.replaceAll(`${folder}/`, "")) };
}

describe("check says of", () => {
  it.each(MISTAKES)("$what what to mend", async ({ content, status, says }) => {
    expect(says.length).toBeGreaterThan(0);
    expect(await checked(content)).toEqual({ status, says: status === 2 ? [...says, MEANING] : says });
  });

  it.each(SILENT_MISTAKES)("$what, with --strict, that it is refused", async ({ content, says }) => {
    expect(await checked(content, "--strict")).toEqual({ status: 2, says });
  });

  it("a config without a mistake nothing", async () => {
    expect(await checked(good(), "--strict")).toEqual({ status: 0, says: [] });
  });

  it.each(["localhost", "0.0.0.0", "::", "::1", "fe80::1%eth0", "::ffff:127.0.0.1", "post-rider.example.org."])(
    "the host %s nothing",
    async (host) => {
      const said = await checked(good({ apiToken: `${TOKEN}-of-a-public-server`, listen: { host } }), "--strict");
      expect(said).toEqual({ status: 0, says: [] });
    },
  );

  it.each([
    { sharedSecret: undefined },
    { sharedSecret: undefined, standardWebhooks: false },
    { standardWebhooks: true },
  ])("a destination with %j nothing", async (changes) => {
    expect(await checked(withDestination(changes), "--strict")).toEqual({ status: 0, says: [] });
  });

  it("two destinations with the same secret nothing", async () => {
    const destinations = [DESTINATION, { ...DESTINATION, id: "mail" }];
    expect(await checked(good({ destinations }), "--strict")).toEqual({ status: 0, says: [] });
  });
});

import { type ReloadOutcome } from "@postrider/http/api";
import { createSecret } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../canary.js";
import { request, textOf } from "../http/request.js";
import { createWorld } from "../ingest/world.js";
import { createCheckedApi } from "./contract/checked-api.js";
import { BEARER } from "./rig.js";

/** An API of a host that reads its settings again, and how often it did. */
function withReload(outcome: ReloadOutcome) {
  const { relay } = createWorld();
  let reloads = 0;
  const reload = (): Promise<ReloadOutcome> => {
    reloads += 1;
    return Promise.resolve(outcome);
  };
  const api = createCheckedApi({ relay, apiToken: createSecret(TOKEN), reload });
  const post = async (headers: Readonly<Record<string, string>> = BEARER, method = "POST") => {
    const answer = await api(request(method, "/api/reload", { headers }));
    return { status: answer.status, body: JSON.parse(textOf(answer)), reloads };
  };
  return { post };
}

const CONFIGURED = { kind: "configured", sources: 2, destinations: 3, needsRestart: ["listen"] } as const;

describe("POST /api/reload", () => {
  it("answers what is in force now, and what needs a restart", async () => {
    expect(await withReload(CONFIGURED).post()).toEqual({
      status: 200,
      body: { sources: 2, destinations: 3, needsRestart: ["listen"], certificate: null },
      reloads: 1,
    });
  });

  it.each([["replaced"], ["unchanged"], [{ refused: "tls.key has no private key as PEM text" }]] as const)(
    "answers what became of the certificate, with the config or without: %s",
    async (certificate) => {
      expect((await withReload({ ...CONFIGURED, certificate }).post()).body).toMatchObject({ certificate });
      const { status, body } = await withReload({ kind: "refused", problems: [], certificate }).post();
      expect({ status, body }).toMatchObject({ status: 422, body: { certificate } });
    },
  );

  it("counts one problem as one", async () => {
    const problems = [{ code: "missing", path: "sources[0].id", expected: "an id" }];
    const { body } = await withReload({ kind: "refused", problems }).post();
    expect(body).toMatchObject({
      message: "the config has 1 problem, and the settings in force are kept",
      certificate: null,
    });
  });

  it("answers 422 with every problem, up to 200, and the number of the others", async () => {
    const problem = (nth: number) => ({ code: "missing", path: `sources[${String(nth)}].id`, expected: "an id" });
    const problems = Array.from({ length: 300 }, (_, nth) => ({ ...problem(nth), value: "not shown" }));
    const { status, body } = await withReload({ kind: "refused", problems }).post();
    expect(status).toBe(422);
    expect(body).toMatchObject({ success: false, code: "bad-config", error: { code: "bad-config" }, more: 100 });
    expect(body.problems).toEqual(Array.from({ length: 200 }, (_, nth) => problem(nth)));
  });

  it.each(["stopped", "superseded"] as const)("answers 503 to a reload that is %s", async (kind) => {
    expect(await withReload({ kind }).post()).toMatchObject({ status: 503, body: { code: "store-unavailable" } });
  });

  it("reads nothing again without the token, or for another method", async () => {
    const { post } = withReload(CONFIGURED);
    expect(await post({})).toMatchObject({ status: 401, reloads: 0 });
    expect(await post({ authorization: "Bearer wrong" })).toMatchObject({ status: 401, reloads: 0 });
    expect(await post(BEARER, "GET")).toMatchObject({ status: 405, reloads: 0 });
  });

  it.each(["POST", "GET"])("is not there for a host that cannot reload: %s answers 404", async (method) => {
    const { relay } = createWorld();
    const api = createCheckedApi({ relay, apiToken: createSecret(TOKEN) });
    expect((await api(request(method, "/api/reload", { headers: BEARER }))).status).toBe(404);
  });
});

import { createSystemClock } from "@postrider/system";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer, type Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { faultInWords } from "../../../../packages/postrider/src/cli/requests/fault-in-words.js";
import { sendJson } from "../../../../packages/postrider/src/cli/requests/ask-api.js";
import { upload } from "../../../../packages/postrider/src/cli/audiences/sync.js";
import { AUTHORITY, HOSTS } from "../../server/tls/pair-files.js";
import { listen } from "../../../loopback.js";

/** Each code, and a word of what is advised. */
const ROWS: readonly (readonly [code: string, advice: RegExp])[] = [
  ["ECONNREFUSED", /nothing listens there; start the server, or correct --url or POSTRIDER_URL/],
  ["ENOTFOUND", /its name has no address; correct --url or POSTRIDER_URL/],
  ["EAI_AGAIN", /its name cannot be looked up now; try again/],
  ["ECONNRESET", /closed the connection without an answer/],
  ["UND_ERR_SOCKET", /closed the connection without an answer; .*https:\/\//],
  ["EPIPE", /closed the connection without an answer/],
  ["ETIMEDOUT", /took too long; does a firewall/],
  ["UND_ERR_CONNECT_TIMEOUT", /took too long/],
  ["EHOSTUNREACH", /no route from this machine/],
  ["ENETUNREACH", /no route from this machine/],
  ["HPE_INVALID_CONSTANT", /does not speak HTTP/],
  ["HPE_HEADER_OVERFLOW", /does not speak HTTP/],
  ["HTTPParserError", /does not speak HTTP/],
  ["EPROTO", /write http:\/\/ in the URL/],
  ["ERR_SSL_WRONG_VERSION_NUMBER", /write http:\/\/ in the URL/],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", /write http:\/\/ in the URL/],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", /certificate is self-signed; name its file in the variable NODE_EXTRA_CA_CERTS/],
  ["SELF_SIGNED_CERT_IN_CHAIN", /authority .* not trusted here; name .* NODE_EXTRA_CA_CERTS/],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", /authority .* NODE_EXTRA_CA_CERTS/],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /authority .* NODE_EXTRA_CA_CERTS/],
  ["CERT_HAS_EXPIRED", /has expired; renew it/],
  ["CERT_NOT_YET_VALID", /is not valid yet; .* clock/],
  ["ERR_TLS_CERT_ALTNAME_INVALID", /for another name; use a name of the certificate/],
  ["bad port", /reserved for another protocol.*another port/],
  ["invalid header", /character that no HTTP header may have/],
];

function withCode(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("of the engine"), { code }) });
}

describe("the words for a fault", () => {
  it.each(ROWS)("say what %s means and what to do, with the code at the end", (code, advice) => {
    const words = faultInWords(code);
    expect(words).toMatch(advice);
    expect(words.endsWith(` (${code})`)).toBe(true);
    expect(faultInWords(withCode(code))).toBe(words);
  });

  it("are the same for an error of the parser with a code, and for one that has its name alone", () => {
    const error = Object.assign(new Error("Expected HTTP/"), { name: "HTTPParserError", code: undefined });
    expect(faultInWords(new TypeError("fetch failed", { cause: error }))).toBe(faultInWords("HTTPParserError"));
  });

  it("are those of any other code, and of what has none, with the code or the text of the engine", () => {
    expect(faultInWords(withCode("ERR_SSL_OTHER"))).toBe("the TLS handshake has failed (ERR_SSL_OTHER)");
    expect(faultInWords(withCode("E_OTHER"))).toBe("the request has failed (E_OTHER)");
    expect(faultInWords(new TypeError("fetch failed", { cause: new Error("odd") }))).toBe(
      "the request has failed (odd)",
    );
    expect(faultInWords(new TypeError("Bearer s3cret is an invalid header value"))).toBe(
      faultInWords("invalid header"),
    );
    expect(faultInWords(undefined)).toBe("the request has failed");
  });
});

async function portOf(server: Server): Promise<string> {
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return `127.0.0.1:${String(port)}`;
}

/** What both ways of sending say about a URL; a token with a line break is no header. */
async function told(url: string, authorization = "Bearer t"): Promise<readonly string[]> {
  const posted = await sendJson({ url, authorization, body: {}, clock: createSystemClock() });
  const uploaded = await upload({ url, authorization, contentType: "text/csv", body: (async function* () {})() });
  return [posted, uploaded].map((result) => (result.kind === "unreachable" ? result.reason : `answered ${url}`));
}

describe("a server that cannot be asked", () => {
  it("is described by its fault, whether JSON is sent or a list", async () => {
    const tls = await portOf(createHttpsServer(AUTHORITY.issue(HOSTS), (_, response) => response.end()));
    const plain = await portOf(createHttpServer((_, response) => response.end()));
    const other = await portOf(
      createServer((socket) => void socket.on("error", () => undefined).end("SSH-2.0\r\n\r\n")),
    );
    for (const [url, words] of [
      [`https://${tls}`, /authority of the server's certificate is not trusted/],
      [`https://${plain}`, /write http:\/\//],
      [`http://${tls}`, /closed the connection without an answer/],
      [`http://${other}`, /does not speak HTTP/],
      ["http://127.0.0.1:1", /reserved for another protocol|nothing listens there/],
    ] as const) {
      for (const reason of await told(url))
        expect(reason).toMatch(new RegExp(`^no answer from ${url}: .*${words.source}`));
    }
  });

  it("is not asked with a token that no header may have, which is not shown", async () => {
    const plain = await portOf(createHttpServer((_, response) => response.end()));
    for (const reason of await told(`http://${plain}`, "Bearer s3\ncret")) {
      expect(reason).toContain("character that no HTTP header may have");
      expect(reason).not.toContain("cret");
    }
  });
});

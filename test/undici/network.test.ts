import { isCertificate } from "@postrider/undici";
import { rootCertificates } from "node:tls";
import { describe, expect, it } from "vitest";

const [one = "", other = ""] = rootCertificates;
const CUT = one.replace(/\n.*\n.*\n-----END/, "\n-----END");

describe("a text of certificates", () => {
  it.each([
    ["one", one],
    ["several", `${one}\n${other}\n`],
    ["one with a remark before it", `# An authority\n${one}`],
  ])("may have %s", (_, text) => {
    expect(isCertificate(text)).toBe(true);
  });

  it.each([
    ["nothing", ""],
    ["no PEM", "/etc/ssl/authority.pem"],
    ["one that was cut short", CUT],
    ["one without an end", one.slice(0, 200)],
    ["one that was cut short after a whole one, which TLS would ignore", `${other}\n${CUT}`],
  ])("is refused with %s", (_, text) => {
    expect(isCertificate(text)).toBe(false);
  });
});

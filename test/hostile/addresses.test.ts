// Which addresses may be reached: the public corpus, and twenty thousand drawn ones against an independent table. `npm
// run soak -- addresses` draws a million.

import { readFileSync } from "node:fs";
import { createSeededRandom } from "@postrider/memory";
import { hasForbiddenAddress } from "@postrider/undici";
import { describe, expect, it } from "vitest";
import { createIsAllowedAddress } from "../../packages/undici/src/addresses.js";
import { drawAddresses } from "./draw-addresses.js";
import { isOfIpv4, isOpen, textOf } from "./reference-table.js";

interface Corpus {
  readonly refused: readonly { readonly text: string; readonly why: string }[];
  readonly allowed: readonly string[];
  readonly noAddress: readonly string[];
  readonly urls: readonly { readonly host: string; readonly address: string }[];
}

const corpus = JSON.parse(readFileSync(new URL("../vectors/addresses.json", import.meta.url), "utf8")) as Corpus;
const EVERYTHING = ["0.0.0.0/0", "::/0"];

describe("the corpus of addresses", () => {
  it("is refused where it is not public", () => {
    expect(corpus.refused.filter(({ text }) => createIsAllowedAddress()(text))).toEqual([]);
  });

  it("is allowed where it is public", () => {
    expect(corpus.allowed.filter((text) => !createIsAllowedAddress()(text))).toEqual([]);
  });

  it("is refused where it is no address, even if every address is allowed", () => {
    expect(corpus.noAddress.filter((text) => createIsAllowedAddress({ allow: EVERYTHING })(text))).toEqual([]);
  });

  it("is judged alike as the host of a URL", () => {
    for (const { host, address } of corpus.urls) {
      const shown = new URL(`http://${host}/`).hostname.replace(/^\[(.*)\]$/, "$1");
      expect([host, shown]).toEqual([host, address]);
      expect([host, hasForbiddenAddress(`http://${host}:8080/hook`)]).toEqual([host, true]);
    }
  });
});

describe("addresses drawn from everywhere", () => {
  it("are judged as in the reference table", () => {
    const vet = createIsAllowedAddress();
    for (const address of drawAddresses(20_000, createSeededRandom(28))) {
      const text = textOf(address);
      if (vet(text) !== isOpen(address)) expect([text, vet(text)]).toEqual([text, isOpen(address)]);
    }
  });

  it("are judged alike in every spelling", () => {
    const vet = createIsAllowedAddress();
    for (const address of drawAddresses(4_000, createSeededRandom(29))) {
      const long = textOf(address);
      const short = address.family === "ipv4" ? long : new URL(`http://[${long}]/`).hostname.slice(1, -1);
      for (const text of [short, long.toUpperCase()]) expect([text, vet(text)]).toEqual([text, vet(long)]);
    }
  });

  it("are allowed by a range of IPv4 if NAT64 leads to one of its addresses, not if they contain one otherwise", () => {
    const vet = createIsAllowedAddress({ allow: ["0.0.0.0/0"] });
    for (const address of drawAddresses(8_000, createSeededRandom(30))) {
      const isRight = isOfIpv4(address) || isOpen(address);
      expect([textOf(address), vet(textOf(address))]).toEqual([textOf(address), isRight]);
    }
  });

  it("are allowed by a range of mapped addresses as by the same range of IPv4", () => {
    const [mapped, plain] = [
      createIsAllowedAddress({ allow: ["::ffff:10.0.0.0/104"] }),
      createIsAllowedAddress({ allow: ["10.0.0.0/8"] }),
    ];
    for (const address of drawAddresses(4_000, createSeededRandom(31))) {
      expect([textOf(address), mapped(textOf(address))]).toEqual([textOf(address), plain(textOf(address))]);
    }
  });
});

// The files of the page, from a module of the build, so that a bundler takes them along. A name has a digest of its content, so that
// a browser may keep a file for ever.

import { type Asset, ASSETS } from "#assets";
import { type Answer, type IncomingHead, notFoundAnswer } from "@postrider/http";
import { Buffer } from "node:buffer";
import { PAGE_HEADERS } from "./headers.js";

/** Encodings in the order of their sizes. */
const ENCODINGS = [
  ["br", "brotli"],
  ["gzip", "gzip"],
] as const;

/** Answers a file, in the smallest form that the browser takes; 404 if there is none of this name. */
export function assetAnswer(name: string, { headers }: IncomingHead): Answer {
  const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  if (asset === undefined) return notFoundAnswer();
  const accepted = acceptedIn(headers.get("accept-encoding") ?? "");
  const found = ENCODINGS.find(([coding]) => accepted.has(coding));
  return {
    status: 200,
    headers: [
      ["Content-Type", asset.type],
      ["Cache-Control", "public, max-age=31536000, immutable"],
      ["Vary", "Accept-Encoding"],
      ...(found === undefined ? [] : [["Content-Encoding", found[0]] as const]),
      ...PAGE_HEADERS,
    ],
    body: bytesOf(asset, found?.[1] ?? "plain"),
  };
}

const NOT_ACCEPTED = /^q=0(\.0{0,3})?$/;

/** The codings of `Accept-Encoding`, without those of weight 0, which the caller does not take (RFC 9110, 12.5.3). */
function acceptedIn(header: string): ReadonlySet<string> {
  const codings = header
    .toLowerCase()
    .split(",")
    .map((one) => one.split(";").map((part) => part.trim()))
    .filter(([, ...weights]) => !weights.some((weight) => NOT_ACCEPTED.test(weight)));
  return new Set(codings.map(([coding = ""]) => coding));
}

function bytesOf(asset: Asset, form: "plain" | "gzip" | "brotli"): Uint8Array {
  return Buffer.from(asset[form], "base64");
}

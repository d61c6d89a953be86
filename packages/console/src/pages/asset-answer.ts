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
  const accepted = headers.get("accept-encoding") ?? "";
  const found = ENCODINGS.find(([coding]) => new RegExp(`(^|[ ,])${coding}([ ,;]|$)`).test(accepted));
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

function bytesOf(asset: Asset, form: "plain" | "gzip" | "brotli"): Uint8Array {
  return Buffer.from(asset[form], "base64");
}

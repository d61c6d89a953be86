// Answers the page, one document whose `base` has the path of the console, and the files of the page, which a module of the build has under
// names with a digest of their content. A browser may run and show only files from here, may not show them inside another page, and may not
// make elements from text (decision: console sessions).

import { ENTRY, type Asset, ASSETS } from "#assets";
import { type Answer, type IncomingHead, notFoundAnswer } from "@postrider/http";
import { Buffer } from "node:buffer";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const PAGE_HEADERS: Answer["headers"] = [
  ["Content-Security-Policy", POLICY],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Referrer-Policy", "no-referrer"],
  ["X-Content-Type-Options", "nosniff"],
];

/** The encodings, the one that makes the smallest files first. */
const ENCODINGS = [
  { coding: "br", form: "brotli" },
  { coding: "gzip", form: "gzip" },
] as const;

const NOT_ACCEPTED = /^q=0(\.0{0,3})?$/;

/** The document of a console that is mounted at `root`, such as `/console/`. */
export function pageAnswer(root: string): Answer {
  return {
    status: 200,
    headers: [["Content-Type", "text/html; charset=utf-8"], ["Cache-Control", "no-cache"], ...PAGE_HEADERS],
    body: documentAt(escaped(root)),
  };
}

function documentAt(root: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="${root}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Postrider</title>
<link rel="icon" href="assets/${ENTRY.icon}" type="image/svg+xml">
<link rel="stylesheet" href="assets/${ENTRY.style}">
<script type="module" src="assets/${ENTRY.script}"></script>
</head>
<body>
<div id="console"></div>
<noscript>This page needs JavaScript. The command line shows the same: postrider lanes, postrider deliveries.</noscript>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Answers a file, in the smallest form that the browser takes; 404 if there is none of this name. */
export function assetAnswer(name: string, { headers }: IncomingHead): Answer {
  const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  if (asset === undefined) return notFoundAnswer();
  const accepted = acceptedIn(headers.get("accept-encoding") ?? "");
  const encoding = ENCODINGS.find(({ coding }) => accepted.has(coding));
  return {
    status: 200,
    headers: [
      ["Content-Type", asset.type],
      ["Cache-Control", "public, max-age=31536000, immutable"],
      ["Vary", "Accept-Encoding"],
      ...(encoding === undefined ? [] : [["Content-Encoding", encoding.coding] as const]),
      ...PAGE_HEADERS,
    ],
    body: bytesOf(asset, encoding?.form ?? "plain"),
  };
}

/** The codings of `Accept-Encoding`, without those of weight 0, which the caller does not take (RFC 9110, 12.5.3). */
function acceptedIn(header: string): ReadonlySet<string> {
  const codings = header
    .toLowerCase()
    .split(",")
    .map((coding) => coding.split(";").map((part) => part.trim()))
    .filter(([, ...weights]) => !weights.some((weight) => NOT_ACCEPTED.test(weight)));
  return new Set(codings.map(([coding = ""]) => coding));
}

function bytesOf(asset: Asset, form: "plain" | "gzip" | "brotli"): Uint8Array {
  return Buffer.from(asset[form], "base64");
}

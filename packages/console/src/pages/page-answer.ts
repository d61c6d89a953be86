// The page: one document for all addresses of the console, which loads the script. Its `base` says where the console is mounted, so
// that no script has to be written for it.

import { ENTRY } from "#assets";
import type { Answer } from "@postrider/http";
import { PAGE_HEADERS } from "./headers.js";

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

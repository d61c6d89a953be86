// Makes the module of assets of the page: bundles the script of the folder `page`, adds the style and the icon, and
// writes all of them, compressed, into dist/assets.js. Fails if what a browser loads becomes too large.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** What a browser may load at most, zipped. */
const MAX_GZIP_BYTES = 60_000;

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "dist/assets.js");

const files = {
  script: { ending: "js", type: "text/javascript; charset=utf-8", bytes: await bundle() },
  style: { ending: "css", type: "text/css; charset=utf-8", bytes: styles() },
  icon: { ending: "svg", type: "image/svg+xml", bytes: readFileSync(join(here, "page/icon.svg")) },
};

const entry = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, nameOf(name, file)]));
const assets = Object.fromEntries(Object.entries(files).map(([name, file]) => [nameOf(name, file), packed(file)]));
const size = Object.values(files).reduce((sum, { bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0);
if (size > MAX_GZIP_BYTES) throw new Error(`the page has ${size} bytes zipped, and may have ${MAX_GZIP_BYTES}`);
write(`export const ASSETS = ${JSON.stringify(assets)};\nexport const ENTRY = ${JSON.stringify(entry)};\n`);

async function bundle() {
  const built = await rolldown({ input: join(here, "page/main.tsx"), platform: "browser" });
  const { output } = await built.generate({ format: "esm", minify: true });
  if (output.length !== 1) throw new Error("the page must be one script");
  return Buffer.from(output[0].code);
}

function styles() {
  const charts = createRequire(import.meta.url).resolve("uplot/dist/uPlot.min.css");
  return Buffer.concat([charts, join(here, "page/style.css")].map((path) => readFileSync(path)));
}

/** A name that changes with the content. */
function nameOf(name, { ending, bytes }) {
  return `${name}-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}.${ending}`;
}

function packed({ type, bytes }) {
  const [plain, gzip, brotli] = [bytes, gzipSync(bytes, { level: 9 }), brotliCompressSync(bytes)];
  return { type, plain: plain.toString("base64"), gzip: gzip.toString("base64"), brotli: brotli.toString("base64") };
}

/** A file that stays the same keeps its time, so that nothing is built again for it. */
function write(text) {
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target) || readFileSync(target, "utf8") !== text) writeFileSync(target, text);
}

// Bundles one of the pages of this folder, as a page's own build would: minified, for browsers, with nothing left to import.

import { fileURLToPath } from "node:url";
import { build as buildWithEsbuild } from "esbuild";
import { rolldown } from "rolldown";
import { build as buildWithVite8 } from "vite";
import { build as buildWithVite6 } from "vite-6";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** By its name, each bundler: a function of a page that resolves with the code, and rejects if the page cannot be built. */
const BUNDLERS = {
  esbuild: bundleWithEsbuild,
  Rolldown: bundleWithRolldown,
  "Vite 6": (page) => bundleWithVite(buildWithVite6, page),
  "Vite 8": (page) => bundleWithVite(buildWithVite8, page),
};

export const BUNDLER_NAMES = Object.keys(BUNDLERS);

/** The code of a page, such as `client`, as one script. */
export function bundlePage(bundler, page) {
  return BUNDLERS[bundler](`${FOLDER}${page}.js`);
}

async function bundleWithEsbuild(input) {
  const options = { bundle: true, minify: true, format: "esm", platform: "browser", write: false, logLevel: "silent" };
  const { outputFiles, warnings } = await buildWithEsbuild({ entryPoints: [input], ...options });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join("\n"));
  return outputFiles[0].text;
}

async function bundleWithRolldown(input) {
  const built = await rolldown({ input, platform: "browser", onLog: fail });
  const { output } = await built.generate({ format: "esm", minify: true, comments: false });
  await built.close();
  return onlyScript(output);
}

/** Its page would only name the script. */
async function bundleWithVite(build, input) {
  const options = { write: false, rollupOptions: { input, onwarn: fail } };
  const { output } = await build({ root: FOLDER, configFile: false, logLevel: "silent", build: options });
  return onlyScript(output);
}

function onlyScript(output) {
  if (output.length !== 1) throw new Error(`built ${output.length} files instead of one script`);
  return output[0].code;
}

/** What a bundler warns of fails the build. */
function fail(first, second) {
  throw new Error((second ?? first).message);
}

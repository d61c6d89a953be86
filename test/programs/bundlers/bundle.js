// Bundles one of the pages of this folder, as a page's own build would: minified, with nothing left to import. A page can also be
// built for Node or for an edge worker.

import { fileURLToPath } from "node:url";
import { build as buildWithEsbuild } from "esbuild";
import { rolldown } from "rolldown";
import { build as buildWithVite8 } from "vite";
import { build as buildWithVite6 } from "vite-6";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/**
 * By its name, each bundler: a function of a page's file and of `browser`, `node` or `worker`. It resolves with the code, as one
 * script, and rejects if the page cannot be built.
 */
export const BUNDLERS = {
  esbuild: bundleWithEsbuild,
  Rolldown: bundleWithRolldown,
  "Vite 6": bundlerOfVite(buildWithVite6),
  "Vite 8": bundlerOfVite(buildWithVite8),
};

export const BUNDLER_NAMES = Object.keys(BUNDLERS);

/** The code of a page, such as `client`, for browsers. */
export function bundlePage(bundler, page) {
  return BUNDLERS[bundler](pageFile(page), "browser");
}

export function pageFile(page) {
  return `${FOLDER}${page}.js`;
}

async function bundleWithEsbuild(input, target) {
  const platform = target === "node" ? "node" : "browser";
  const options = { bundle: true, minify: true, format: "esm", platform, write: false, logLevel: "silent" };
  const { outputFiles, warnings } = await buildWithEsbuild({ entryPoints: [input], ...options });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join("\n"));
  return outputFiles[0].text;
}

async function bundleWithRolldown(input, target) {
  const built = await rolldown({ input, platform: target === "node" ? "node" : "browser", onLog: fail });
  const { output } = await built.generate({ format: "esm", minify: true, comments: false });
  await built.close();
  return onlyScript(output);
}

/** The page that Vite makes of a script would only name it. */
export function bundlerOfVite(build) {
  return async (input, target) => {
    const options = { write: false, ssr: target !== "browser", minify: true, rollupOptions: { input, onwarn: fail } };
    const ssr = { noExternal: true, target: target === "worker" ? "webworker" : "node" };
    const { output } = await build({ root: FOLDER, configFile: false, logLevel: "silent", build: options, ssr });
    return onlyScript(output);
  };
}

/** The code of a build of Rollup or Rolldown. */
export function onlyScript(output) {
  if (output.length !== 1) throw new Error(`built ${output.length} files instead of one script`);
  return output[0].code;
}

/** What a bundler warns of fails the build. */
export function fail(first, second) {
  throw new Error((second ?? first).message);
}

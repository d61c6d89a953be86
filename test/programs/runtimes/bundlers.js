// All bundlers by which the client is built: those of the folder beside this one, and those that only a long run tries.

import { tmpdir } from "node:os";
import { join } from "node:path";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import nodeResolve from "@rollup/plugin-node-resolve";
import { transform } from "esbuild";
import { rollup } from "rollup";
import { build as buildWithVite7 } from "vite-7";
import webpack from "webpack";
import { BUNDLERS as OTHERS, bundlerOfVite, fail, onlyScript } from "../bundlers/bundle.js";

/** By its name, each bundler: see `BUNDLERS` of the folder beside this one. */
export const BUNDLERS = {
  ...OTHERS,
  "Vite 7": bundlerOfVite(buildWithVite7),
  "webpack 5": bundleWithWebpack,
  "Rollup 4": bundleWithRollup,
};

const TARGETS_OF_WEBPACK = { browser: "web", node: "node20", worker: "webworker" };

async function bundleWithWebpack(entry, target) {
  const path = await mkdtemp(join(tmpdir(), "postrider-webpack-"));
  const output = { path, filename: "out.js" };
  const compiler = webpack({ mode: "production", target: TARGETS_OF_WEBPACK[target], entry, output });
  const stats = await new Promise((resolve, reject) =>
    compiler.run((error, done) => (error === null ? resolve(done) : reject(error))),
  );
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString("errors-warnings"));
  const code = await readFile(join(path, "out.js"), "utf8");
  await rm(path, { recursive: true });
  return code;
}

/** Rollup leaves it to others to minify. */
async function bundleWithRollup(input, target) {
  const plugins = [nodeResolve({ browser: target !== "node", exportConditions: target === "node" ? ["node"] : [] })];
  const built = await rollup({ input, plugins, onwarn: fail });
  const { output } = await built.generate({ format: "esm" });
  await built.close();
  const { code } = await transform(onlyScript(output), { minify: true, format: "esm" });
  return code;
}

// Bundles a program of `programs`, with all that it imports, for a browser. Writes no files.

import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** The code of each file by its name; the first to be loaded is `main.js`. */
export type BundledProgram = ReadonlyMap<string, string>;

export async function bundleProgram(name: string): Promise<BundledProgram> {
  const input = { main: fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)) };
  const built = await rolldown({ input, platform: "browser", logLevel: "silent" });
  const { output } = await built.generate({ format: "esm", entryFileNames: "[name].js" });
  await built.close();
  return new Map(output.map((file) => [file.fileName, file.type === "chunk" ? file.code : String(file.source)]));
}

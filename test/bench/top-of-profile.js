// `node test/bench/top-of-profile.js FOLDER [n]`: how the time of each CPU profile in a folder is spread, by function and
// by package, as shares of the time in which the process was not idle.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [, , folder, count = "25"] = process.argv;
for (const name of readdirSync(folder).filter((file) => file.endsWith(".cpuprofile"))) {
  console.log(`${name}`);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, name), "utf8"));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [byFunction, byPlace] = [new Map(), new Map()];
  let busyUs = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    if (frame.functionName === "(idle)") continue;
    busyUs += timeDeltas[index];
    add(
      byFunction,
      `${frame.functionName || "(anonymous)"} ${placeOf(frame)}:${frame.lineNumber + 1}`,
      timeDeltas[index],
    );
    add(byPlace, packageOf(frame), timeDeltas[index]);
  }
  print(byFunction, busyUs, Number(count));
  print(byPlace, busyUs, 20);
}

function add(sums, key, us) {
  sums.set(key, (sums.get(key) ?? 0) + us);
}

function print(sums, busyUs, most) {
  const rows = [...sums].sort(([, one], [, other]) => other - one).slice(0, most);
  for (const [key, us] of rows) console.log(`${((us / busyUs) * 100).toFixed(1).padStart(6)} %  ${key}`);
  console.log("");
}

function placeOf({ url }) {
  return url.replace(/^.*\/(packages|node_modules)\//, "");
}

function packageOf({ url, functionName }) {
  const [, ours] = /\/packages\/([\w-]+)\//.exec(url) ?? [];
  if (ours !== undefined) return `@postrider/${ours}`;
  const [, theirs] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  return theirs ?? (url.startsWith("node:") ? url.split("/")[0] : functionName);
}

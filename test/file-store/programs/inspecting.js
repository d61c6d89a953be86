// Inspects the store at the path in its first argument as often as the second says, and prints each state that it finds once.

import { inspectStore } from "@postrider/sqlite/file";

const [, , file, times] = process.argv;
const states = new Set();
for (let time = 0; time < Number(times); time += 1) {
  const result = inspectStore(file);
  states.add(result.kind === "ok" ? result.store.state : result.error.message);
}
console.log([...states].join("\n"));

// Plays one simulation, whose options are the JSON text of its first argument, on the packages beside this program. Writes the
// checks that it broke, each once, as one line of JSON.

import { simulate } from "@postrider/simulator";

try {
  await simulate(JSON.parse(process.argv[2]));
  console.log("[]");
} catch (error) {
  if (error.broken === undefined) throw error;
  console.log(JSON.stringify([...new Set(error.broken.map(({ check }) => check))]));
}

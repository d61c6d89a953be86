// Bugs of what operators do while calls go on, each a small edit of the build: they change settings, replay deliveries, send test
// events, and the thread that sends may die.

import type { PlantedBug } from "./planted-bugs.js";

export const REQUEST_BUGS: readonly PlantedBug[] = [
  {
    name: "the secret of the start",
    what: "Requests are signed with the first secret that a destination has had.",
    edits: [
      edit(
        "dispatch/attempt.js",
        "secrets: destination.secrets,",
        "secrets: ((globalThis.secrets ??= new WeakMap()).get(settings) ?? globalThis.secrets.set(settings, new Map()).get(settings)).get(destination.id) ?? (globalThis.secrets.get(settings).set(destination.id, destination.secrets), destination.secrets),",
      ),
    ],
  },
  {
    name: "the endpoints of the claim",
    what: "A delivery goes to the endpoints that its destination had when this process first sent there.",
    edits: [
      edit(
        "dispatch/attempt.js",
        "const inForce = context.settings.destination(delivery.lane);\n    if",
        `const firsts = (context.lanes.firsts ??= new Map());
    const inForce = firsts.get(delivery.lane) ?? context.settings.destination(delivery.lane);
    firsts.set(delivery.lane, inForce);
    if`,
      ),
    ],
  },
  {
    name: "a page of a job counted by its rest",
    what: "A process that takes up a page counts what it replays of it, and not what was replayed before.",
    edits: [
      edit(
        "replay/jobs.js",
        "{ job, replayed: isBegun ? deliveries.length : replays.value.length }",
        "{ job, replayed: replays.value.length }",
      ),
    ],
  },
  {
    name: "a page of a job replayed again",
    what: "A process that takes up a page replays all of it.",
    edits: [edit("assemble-relay.js", "storeReplays(parts, all, { once: true })", "storeReplays(parts, all, {})")],
  },
  {
    name: "the last page of a job left out",
    what: "A job ends with the page before its last one.",
    edits: [
      edit(
        "replay/jobs.js",
        "if (position.job.step?.next === undefined)\n            break;",
        "if (position.job.step?.next === undefined) {\n            position = { job: position.job, replayed: 0 };\n            break;\n        }",
      ),
    ],
  },
  {
    name: "a test event sent twice",
    what: "An endpoint gets a test event once more if its answer is an error.",
    edits: [
      edit(
        "test-event.js",
        "const attempts = inForce.endpoints.map(",
        "const attempts = [...inForce.endpoints, inForce.endpoints[0]].map(",
      ),
    ],
  },
  {
    name: "the outbox emptied first",
    what: "A call is removed from the outbox before it is accepted.",
    edits: [
      edit(
        "outbox.js",
        "const outcomes = await Promise.all(",
        "await ask((outbox) => outbox.remove(page.map(({ id }) => id)));\n        const outcomes = await Promise.all(",
      ),
    ],
  },
];

function edit(file: string, from: string, to: string): PlantedBug["edits"][number] {
  return { file: `relay/dist/${file}`, from, to };
}

// Bugs of explanations, each a small edit of the build: the delivery is right, and what is said of it is not.

import type { Edit, PlantedBug } from "./planted-bugs.js";

export const EXPLAIN_BUGS: readonly PlantedBug[] = [
  {
    name: "the first round decides",
    what: "An explanation names an attempt of the first round, whatever came later.",
    edits: [edit("final-reason.js", "const round = Math.max(0, ...", "const round = Math.min(...")],
  },
  {
    name: "another endpoint delivered it",
    what: "A delivery that arrived is explained by its first attempt.",
    edits: [
      edit(
        "final-reason.js",
        "const first = successes.toSorted((a, b) => answeredAt(a) - answeredAt(b))[0];",
        "const first = attempts[0];",
      ),
    ],
  },
  {
    name: "every window cut short",
    what: "Each delivery that has expired is said to have had no attempt at the end of its window.",
    edits: [edit("final-reason.js", "!isLastPossible(attempt, record, settings.delivery)", "true")],
  },
  {
    name: "a hold untold",
    what: "A delivery that waits for the probe of its lane is said to wait for its own time.",
    edits: [edit("waiting-reasons.js", "...(backoff === undefined ? []", '...(backoff?.kind !== "blocked" ? []')],
  },
  {
    name: "a pause of an operator untold",
    what: "Only the pause of the settings is told.",
    edits: [edit("waiting-reasons.js", 'lane?.pausedBy.includes("operator") === true', "false")],
  },
  {
    name: "a dead process taken for a live one",
    what: "A delivery whose process has died is said to be under way.",
    edits: [edit("waiting-reasons.js", 'record.state === "claimed" && dueAt > now', 'record.state === "claimed"')],
  },
];

function edit(file: string, from: string, to: string): Edit {
  return { file: `core/dist/explain/${file}`, from, to };
}

// Writes docs/delivery-states.md from core's table of states, so that the page always agrees with the code. Run by
// `npm run docs`, after a build; writes docs/api, docs/openapi.json and the JSON Schema as well. A test beside this file fails if the page is out of date.

import { DEAD_REASONS, DELIVERY_EVENTS, DELIVERY_STATES, DELIVERY_TABLE } from "@postrider/core";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeApiPages } from "./api-report.js";
import { writeOpenapi } from "./write-openapi.js";
import { writeSchema } from "./write-schema.js";

const PAGE = new URL("../../docs/delivery-states.md", import.meta.url);

/** How a delivery begins: what leads to its first state. */
const STARTS = {
  waiting: "accepted, due now",
  claimed: "accepted, and its lane has a free slot",
  dead: "accepted, but its lane is full",
};

const EVENT_MEANINGS = {
  claimed: "Its turn has come; or the lease of an earlier claim has ended, and another claim takes it.",
  delivered: "An endpoint took it: a 2xx status.",
  rescheduled: "A round failed, and another follows within the window.",
  released:
    "Its claim ended and no attempt is recorded: too little lease left, receivers on hold, or a local fault; or its lane was " +
    "closed, held or blocked, or a long-overdue retry was delayed, or the relay stops.",
  died:
    "A round, or the window, was the last; every endpoint has refused it for good; or a user of the message was deleted or " +
    "suppressed meanwhile.",
  ended:
    "The host gave its lane up, its retention ended without a destination, its time ended while its lane was closed, held or " +
    "blocked, or its user was deleted or suppressed.",
};

/** What each reason means, and which code decides it. */
const REASON_MEANINGS = {
  expired:
    "No further round fits into the retry window. Decided by `core/src/retry` after a round, by `core/src/round` before one, " +
    "and by `relay/src/maintenance` for lanes that are closed or held.",
  refused:
    "Every endpoint in force refused it for good; or no further round fits into the retry window, and each of them refused it in " +
    "the end; or our own address policy refused all of them for one retry window. Decided by `core/src/round`, and by " +
    "`relay/src/maintenance` for lanes that are blocked.",
  "lane-full":
    "Its lane was full when it came in. The body is kept, and it can be replayed. Decided by `core/src/lanes`, also for a " +
    "replay.",
  purged:
    "A request about its user removed it: any regulation but `unsuppress`. The body is gone or out of reach, and it cannot be " +
    "replayed. Decided by the store, when it claims, settles, ends or purges a delivery.",
  "destination-removed":
    "Its destination has left the settings, and retention has ended or the host has forgotten it. Decided by " +
    "`relay/src/maintenance` and `forget` of the relay.",
};

/** The text of the page. */
export function deliveryStatesPage() {
  return `# The states of a delivery

<!-- Written by test/house/write-docs.js from core's DELIVERY_TABLE. Run \`npm run docs\` instead of editing it. -->

A delivery is one message on its way to one destination. It is always in exactly one of these states; what is not in
the table cannot happen. A replay is a new delivery, so nothing ever leaves a final state; a dead delivery
may become \`purged\` later, when its user is deleted or suppressed.

\`\`\`mermaid
stateDiagram-v2
${diagram().join("\n")}
\`\`\`

| from \\ by | ${DELIVERY_EVENTS.join(" | ")} |
|${" --- |".repeat(DELIVERY_EVENTS.length + 1)}
${DELIVERY_STATES.map(row).join("\n")}

## Events

${list(DELIVERY_EVENTS, EVENT_MEANINGS)}

## Why a delivery is dead

${list(DEAD_REASONS, REASON_MEANINGS)}
`;
}

function diagram() {
  const starts = Object.entries(STARTS).map(([state, how]) => `  [*] --> ${state}: ${how}`);
  const steps = DELIVERY_STATES.flatMap((from) =>
    Object.entries(DELIVERY_TABLE[from]).map(([event, to]) => `  ${from} --> ${to}: ${event}`),
  );
  const ends = DELIVERY_STATES.filter(isFinal).map((state) => `  ${state} --> [*]`);
  return [...starts, ...steps, ...ends];
}

function row(from) {
  return `| **${from}** | ${DELIVERY_EVENTS.map((event) => DELIVERY_TABLE[from][event] ?? "").join(" | ")} |`;
}

function isFinal(state) {
  return Object.keys(DELIVERY_TABLE[state]).length === 0;
}

function list(names, meanings) {
  return names.map((name) => `- **${name}**: ${meaningOf(name, meanings)}`).join("\n");
}

function meaningOf(name, meanings) {
  if (!Object.hasOwn(meanings, name)) throw new Error(`write-docs.js does not say what "${name}" means`);
  return meanings[name];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(PAGE, deliveryStatesPage());
  await writeApiPages();
  await writeOpenapi();
  await writeSchema();
}

// Typical bugs of syncs and of requests about users, each a small edit of the build, as in planted-bugs.ts.

import type { PlantedBug } from "./planted-bugs.js";

export const AUDIENCE_BUGS: readonly PlantedBug[] = [
  {
    name: "progress before its changes",
    what: "A sync records how far it is while the commit of these changes is still on its way.",
    edits: [
      {
        file: "relay/dist/audiences/send-step.js",
        from: "? await batch.send() : ok(undefined);",
        to: "? (void batch.send(), ok(undefined)) : ok(undefined);",
      },
    ],
  },
  {
    name: "a departed member forgotten",
    what: "A process that resumes a sync stores no changes of users who left.",
    edits: [
      {
        file: "core/dist/audience/sync-steps.js",
        from: "const resumed = { ...running, ...holder };",
        to: "const resumed = { ...running, ...holder, isResumed: true };",
      },
      {
        file: "relay/dist/audiences/send-step.js",
        from: "const drafts = changes.flatMap(",
        to: 'const drafts = changes.filter(({ kind }) => kind !== "departed" || !record.running?.isResumed).flatMap(',
      },
    ],
  },
  {
    name: "a resumed sync taken for whole",
    what: "A process that resumes a sync ends it at once.",
    edits: [
      {
        file: "core/dist/audience/sync-steps.js",
        from: "const resumed = { ...running, ...holder };",
        to: "const resumed = { ...running, ...holder, left: [] };",
      },
    ],
  },
  {
    name: "a member told twice",
    what: "The messageId of a change depends on the step, so that a step that is repeated stores its changes again.",
    edits: [
      {
        file: "relay/dist/audiences/send-step.js",
        from: "[String(record.syncs), change.userId",
        to: "[String(record.revision), change.userId",
      },
    ],
  },
  {
    name: "a suppressed member told",
    what: "The store refuses calls about suppressed users, and no changes of audiences.",
    edits: [
      {
        file: "memory/dist/delivery-store/commit.js",
        from: "return isSuppressed(contents, message)",
        to: "return message.asOf === undefined && isSuppressed(contents, message)",
      },
    ],
  },
  {
    name: "a deleted user told by a sync under way",
    what: "The commit of changes does not compare the number of the last request about users.",
    edits: [{ file: "relay/dist/audiences/send-step.js", from: "        asOf,\n", to: "" }],
  },
  {
    name: "a deleted user restored by an upload",
    what: "An upload that began before a request keeps the users of that request.",
    edits: [
      {
        file: "relay/dist/audiences/send.js",
        from: "for (const { id } of requests.value) {",
        to: "for (const { id } of []) {",
      },
    ],
  },
  {
    name: "a deleted user left in the sets",
    what: "A request is recorded as carried out in an audience, and its users stay.",
    edits: [
      {
        file: "relay/dist/audiences/erase-users.js",
        from: "for (const set of uploadedSets(record, all.value)) {",
        to: "for (const set of []) {",
      },
    ],
  },
  {
    name: "a broken list taken for whole",
    what: "A list of members that throws in the middle counts as far as it was read.",
    edits: [
      {
        file: "relay/dist/audiences/collect.js",
        from: 'return err({ code: "members-failed" });',
        to: "return writer.close();",
      },
    ],
  },
  {
    name: "the first value counts",
    what: "Of a member that is given twice, the first value is taken.",
    edits: [
      {
        file: "core/dist/audience/member.js",
        from: "sorted[index + 1]?.userId",
        to: "sorted[index - 1]?.userId",
      },
    ],
  },
];

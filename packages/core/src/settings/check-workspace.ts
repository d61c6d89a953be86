// Decides whether settings are valid. Reports every problem at once, each with its path, so that an operator can fix all
// problems together (spec, webhook destination §2.1 and §8; decision: settings).

import { pathTo } from "../call/path.js";
import type { SourceId } from "../ids.js";
import { ALL_DESTINATIONS } from "../routing/integration-decides.js";
import { mapInSteps, runSteps, type Steps } from "../steps.js";
import { checkEndpointList, checkSecrets, type Repeat, repeats, checkEndpointUrls } from "./check-endpoints.js";
import { checkDelivery, checkRateLimit, checkRetention } from "./check-policy.js";
import { type Problem, problem } from "./problem.js";
import type { Destination, Source, Workspace, NotifyHook } from "./workspace.js";
import { readWriteKey, type ReadWriteKeyResult } from "./secret.js";
import { MAX_NOTIFY_HOOKS } from "../limits.js";
import { NOTIFICATION_KINDS } from "../notify/notification.js";

/** All problems of a workspace; empty if the workspace is valid. */
export function checkWorkspace(workspace: Workspace): readonly Problem[] {
  return runSteps(checkWorkspaceInSteps(workspace));
}

/** The same as `checkWorkspace`, in steps of one source or destination each. */
export function* checkWorkspaceInSteps(workspace: Workspace): Steps<readonly Problem[]> {
  const { sources, destinations } = workspace;
  const sourceIds = new Set(sources.map((source) => source.id));
  const sourceProblems = yield* mapInSteps(sources, (source, index) => checkSource(source, pathTo("sources", index)));
  const destinationProblems = yield* mapInSteps(destinations, (destination, index) =>
    checkDestination(destination, sourceIds, pathTo("destinations", index)),
  );
  return [
    ...sourceProblems.flat(),
    ...repeats(sources, (source) => source.id).map((repeat) => duplicateId("sources", repeat)),
    ...repeats(sources, (source) => source.writeKey.reveal().trim()).map(duplicateKey),
    ...destinationProblems.flat(),
    ...repeats(destinations, (destination) => destination.id).map((repeat) => duplicateId("destinations", repeat)),
    ...checkDelivery(workspace.delivery, "delivery"),
    ...checkRetention(workspace.retention),
    ...checkNotify(workspace.notify ?? [], "notify"),
  ];
}

function checkSource(source: Source, path: string): readonly Problem[] {
  return [
    ...checkId(source.id, `${path}.id`),
    ...checkWriteKey(readWriteKey(source.writeKey), `${path}.writeKey`),
    ...(source.rateLimit === undefined ? [] : checkRateLimit(source.rateLimit, `${path}.rateLimit`)),
  ];
}

/** The path of a URL cannot have a part `.` or `..`, so the API could not be asked about such an id. */
function checkId(id: string, path: string): readonly Problem[] {
  if (id === "") return [problem("empty-id", path, "an id")];
  return id === "." || id === ".." ? [problem("reserved-name", path, "an id other than . and ..")] : [];
}

function checkWriteKey(writeKey: ReadWriteKeyResult, path: string): readonly Problem[] {
  if (writeKey.kind === "refused") return [problem("bad-write-key", path, writeKey.expected)];
  const isEmpty = writeKey.kind === "plain" && writeKey.key === "";
  return isEmpty ? [problem("empty-write-key", path, "a write key")] : [];
}

function checkDestination(
  destination: Destination,
  sourceIds: ReadonlySet<SourceId>,
  path: string,
): readonly Problem[] {
  return [
    ...checkId(destination.id, `${path}.id`),
    ...(destination.name === ALL_DESTINATIONS
      ? [problem("reserved-name", `${path}.name`, "a name other than All, which stands for every destination")]
      : []),
    ...checkConnections(destination, sourceIds, `${path}.sources`),
    ...checkEndpointList(destination.endpoints, `${path}.endpoints`),
    ...checkSecrets(destination.secrets, `${path}.secrets`),
    ...(destination.rateLimit === undefined ? [] : checkRateLimit(destination.rateLimit, `${path}.rateLimit`)),
  ];
}

function checkConnections(
  destination: Destination,
  sourceIds: ReadonlySet<SourceId>,
  path: string,
): readonly Problem[] {
  const perConnection = destination.sources.flatMap(({ source, mode }, index) => {
    const connectionPath = pathTo(path, index);
    return [
      ...(sourceIds.has(source) ? [] : [problem("unknown-source", connectionPath, "the id of a source")]),
      ...(mode === "cloud" ? [] : [problem("device-mode-not-offered", `${connectionPath}.mode`, "cloud")]),
    ];
  });
  const duplicates = repeats(destination.sources, (connection) => connection.source).map(({ index, firstIndex }) =>
    problem("duplicate-source", pathTo(path, index), `each source once; ${pathTo(path, firstIndex)} is the same`),
  );
  return [...perConnection, ...duplicates];
}

function duplicateId(list: "sources" | "destinations", { index, firstIndex }: Repeat): Problem {
  const expected = `an id that is used only once; ${pathTo(list, firstIndex)} has the same`;
  return problem("duplicate-id", `${pathTo(list, index)}.id`, expected);
}

function duplicateKey({ index, firstIndex }: Repeat): Problem {
  const expected = `a write key that no other source has; ${pathTo("sources", firstIndex)} has the same`;
  return problem("duplicate-write-key", `${pathTo("sources", index)}.writeKey`, expected);
}

/** The problems of the hooks; `path` is the path of their list. */
function checkNotify(hooks: readonly NotifyHook[], path: string): readonly Problem[] {
  const tooMany: Problem = { code: "too-many", path, expected: `at most ${String(MAX_NOTIFY_HOOKS)} hooks` };
  return [
    ...(hooks.length > MAX_NOTIFY_HOOKS ? [tooMany] : []),
    ...checkEndpointUrls(hooks, path),
    ...hooks.flatMap((hook, index) => checkHook(hook, pathTo(path, index))),
  ];
}

function checkHook({ secrets, on = NOTIFICATION_KINDS }: NotifyHook, path: string): readonly Problem[] {
  const kinds: ReadonlySet<string> = new Set(NOTIFICATION_KINDS);
  const expected = `one of ${NOTIFICATION_KINDS.join(", ")}`;
  const empty: Problem = { code: "too-few", path: `${path}.on`, expected: "at least one kind; leave out on for all" };
  return [
    ...checkSecrets(secrets, `${path}.secrets`),
    ...(on.length === 0 ? [empty] : []),
    ...on.flatMap((kind, index): Problem[] =>
      kinds.has(kind) ? [] : [{ code: "wrong-type", path: pathTo(`${path}.on`, index), expected }],
    ),
  ];
}

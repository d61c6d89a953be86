// Decides whether the hooks that are told of trouble are valid (decision: notifications): as endpoints are, and each URL once.

import { pathTo } from "../call/path.js";
import { MAX_NOTIFY_HOOKS } from "../limits.js";
import { NOTIFICATION_KINDS } from "../notify/notification.js";
import { checkEndpointUrls, checkSecrets } from "./check-endpoints.js";
import type { Problem } from "./problem.js";
import type { NotifyHook } from "./workspace.js";

/** The problems of the hooks; `path` is the path of their list. */
export function checkNotify(hooks: readonly NotifyHook[], path: string): readonly Problem[] {
  const tooMany: Problem = { code: "too-many", path, expected: `at most ${String(MAX_NOTIFY_HOOKS)} hooks` };
  return [
    ...(hooks.length > MAX_NOTIFY_HOOKS ? [tooMany] : []),
    ...checkEndpointUrls(hooks, path),
    ...hooks.flatMap((hook, index) => checkHook(hook, pathTo(path, index))),
  ];
}

function checkHook({ secrets, on = NOTIFICATION_KINDS }: NotifyHook, path: string): readonly Problem[] {
  const known: ReadonlySet<string> = new Set(NOTIFICATION_KINDS);
  const expected = `one of ${NOTIFICATION_KINDS.join(", ")}`;
  const empty: Problem = { code: "too-few", path: `${path}.on`, expected: "at least one kind; leave out on for all" };
  return [
    ...checkSecrets(secrets, `${path}.secrets`),
    ...(on.length === 0 ? [empty] : []),
    ...on.flatMap((kind, index): Problem[] =>
      known.has(kind) ? [] : [{ code: "wrong-type", path: pathTo(`${path}.on`, index), expected }],
    ),
  ];
}

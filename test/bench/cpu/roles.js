// Which thread of a Node process is which, by what its probe says and by the names that newer versions of Node give to threads.

/** The parts of a process, as tables show them. Of `others`, nearly all is libuv's pool. */
export const ROLES = ["main", "worker", "v8", "others"];

const V8_NAME = /^(V8Worker|DelayedTask)/;

/** Adds up values by the role of their thread: `values` by thread id, `nameOf(tid)` is what the system calls it. */
export function byRole(values, { main, workers, v8 }, nameOf) {
  const sums = Object.fromEntries(ROLES.map((role) => [role, 0]));
  for (const [tid, value] of values) sums[roleOf(tid)] += value;
  return sums;

  function roleOf(tid) {
    if (tid === main) return "main";
    if (workers.includes(tid)) return "worker";
    return v8.includes(tid) || V8_NAME.test(nameOf(tid)) ? "v8" : "others";
  }
}

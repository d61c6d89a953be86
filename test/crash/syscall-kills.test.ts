import { describe, expect, it } from "vitest";
import { canTrace, warnWithoutTrace } from "./can-trace.js";
import { kindsOf } from "./judge.js";
import { type Injection, type InjectionReport, liveUntilCall } from "./syscall-kills.js";

const AT_ONCE = 8;
/** Some of each, from the making of the file to the answers. `npm run soak -- crash` goes through all of them. */
const INJECTIONS: readonly Injection[] = [
  ...[1, 6, 11, 17, 33, 61, 97, 130, 151, 187, 222].map((when) => ({ call: "pwrite64", when }) as const),
  ...[1, 2, 3, 4, 5, 6, 9, 12].map((when) => ({ call: "fsync", when }) as const),
  ...[1, 2, 7, 12].map((when) => ({ call: "writev", when }) as const),
  ...[5, 12].map((when) => ({ call: "write", when }) as const),
  ...[1, 2].map((when) => ({ call: "ftruncate", when }) as const),
  { call: "unlink", when: 1 },
];

warnWithoutTrace("kills at system calls");

describe.skipIf(!canTrace)("a kill at a system call that writes", () => {
  it("loses nothing that was answered 200, and settles each delivery once", async () => {
    const reports = await liveEach(INJECTIONS);
    const killed = reports.filter(({ isKilled }) => isKilled);
    console.log(`${reports.length} system calls, ${killed.length} of them ended a life`);
    expect(reports.filter(({ findings }) => findings.length > 0)).toEqual([]);
    expect(killed.length).toBeGreaterThan(INJECTIONS.length / 2);
  });

  it("at an answer would make a call be stored twice if ids were not remembered", async () => {
    const alterations = ["forget-ids"] as const;
    const reports = await liveEach([1, 3, 5].map((when) => ({ call: "writev", when, alterations })));
    expect(kindsOf(reports.flatMap(({ findings }) => findings))).toContain("stored-twice");
  });
});

async function liveEach(injections: readonly Injection[]): Promise<readonly InjectionReport[]> {
  const left = [...injections];
  const reports: InjectionReport[] = [];
  const liveOn = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) reports.push(await liveUntilCall(next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, liveOn));
  return reports;
}

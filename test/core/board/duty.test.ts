import { processId } from "@postrider/core";
import { isOnDuty } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const living = fc.uniqueArray(fc.string().map(processId), { minLength: 1 });

describe("the process on duty", () => {
  it("is exactly one of those that live, whatever their order", () => {
    fc.assert(
      fc.property(living, (processes) => {
        const onDuty = processes.filter((process) => isOnDuty(process, processes));
        expect(onDuty).toHaveLength(1);
        expect(processes.toReversed().filter((process) => isOnDuty(process, processes.toReversed()))).toEqual(onDuty);
      }),
    );
  });

  it("is none that does not live", () => {
    fc.assert(
      fc.property(living, ([process, ...others]) => {
        expect(process !== undefined && isOnDuty(process, others)).toBe(false);
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { createGate } from "../../packages/undici/src/gate.js";

/** Work that is done when told. */
function createWorks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (name: string) => ends.get(name)?.(),
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
  };
}

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a gate", () => {
  it("lets so many through at once, and the next in line when one is done", async () => {
    const { begun, end, work } = createWorks();
    const gate = createGate(2, 10);
    const all = ["a", "b", "c", "d"].map((name) => gate(work(name)));
    await aTurn();
    expect(begun).toEqual(["a", "b"]);
    end("b");
    await aTurn();
    expect(begun).toEqual(["a", "b", "c"]);
    for (const name of ["a", "c"]) end(name);
    await aTurn();
    end("d");
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
  });

  it("gives a place back when the work fails, or throws", async () => {
    const gate = createGate(1, 1);
    await expect(gate(() => Promise.reject(new Error("odd")))).rejects.toThrow("odd");
    const thrower = (): Promise<never> => {
      throw new Error("thrown");
    };
    await expect(gate(thrower)).rejects.toThrow("thrown");
    expect(await gate(() => Promise.resolve("done"))).toBe("done");
  });

  it("turns away who finds the line full, and has room again later", async () => {
    const { end, work } = createWorks();
    const gate = createGate(1, 1);
    const first = gate(work("a"));
    const second = gate(work("b"));
    await expect(gate(work("c"))).rejects.toMatchObject({ code: "EAI_MEMORY" });
    end("a");
    await first;
    await aTurn();
    end("b");
    await second;
    expect(await gate(() => Promise.resolve("d"))).toBe("d");
  });
});

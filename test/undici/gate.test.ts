import { describe, expect, it } from "vitest";
import { createWorkLimit } from "../../packages/undici/src/ask-system.js";

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
  it("runs up to the limit at once, and the next in the queue when one has ended", async () => {
    const { begun, end, work } = createWorks();
    const gate = createWorkLimit(2, 10);
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

  it("starts the next one also when the work rejects, or throws", async () => {
    const gate = createWorkLimit(1, 1);
    await expect(gate(() => Promise.reject(new Error("odd")))).rejects.toThrow("odd");
    const thrower = (): Promise<never> => {
      throw new Error("thrown");
    };
    await expect(gate(thrower)).rejects.toThrow("thrown");
    expect(await gate(() => Promise.resolve("done"))).toBe("done");
  });

  it("rejects when the queue is full, and takes calls again later", async () => {
    const { end, work } = createWorks();
    const gate = createWorkLimit(1, 1);
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

import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createAsk } from "../../../../packages/postrider/src/cli/process-host.js";

function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const shown: string[] = [];
  output.on("data", (chunk: Buffer) => shown.push(String(chunk)));
  return { input, shown, ask: createAsk(input, output) };
}

describe("questions on a terminal", () => {
  it("are shown, and answered by a line each", async () => {
    const { input, shown, ask } = terminal();
    const first = ask("first? ");
    input.write("one\n");
    expect(await first).toBe("one");
    const second = ask("second? ");
    input.write("two\n");
    expect(await second).toBe("two");
    expect(shown.join("")).toContain("first? ");
    expect(shown.join("")).toContain("second? ");
  });

  it("are answered by lines that were typed ahead, in their order, also if the input has ended", async () => {
    const { input, ask } = terminal();
    input.end("one\ntwo\n\nfour\n");
    expect([await ask("1 "), await ask("2 "), await ask("3 "), await ask("4 "), await ask("5 ")]).toEqual([
      "one",
      "two",
      "",
      "four",
      undefined,
    ]);
  });

  it("are not answered once the input has ended", async () => {
    const { input, ask } = terminal();
    const asked = ask("1 ");
    input.end();
    expect([await asked, await ask("2 ")]).toEqual([undefined, undefined]);
  });

  it("show nothing that controls the terminal", async () => {
    const { input, shown, ask } = terminal();
    const asked = ask("\u001b[31mred? ");
    input.end();
    await asked;
    expect(shown.join("")).not.toContain("\u001b[31m");
  });
});

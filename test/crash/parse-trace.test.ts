import { describe, expect, it } from "vitest";
import { parseTrace } from "./parse-trace.js";

const hex = (text: string): string => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16)}`).join("");
const open = (path: string, descriptor: number, thread = 1): string =>
  `${thread} openat(AT_FDCWD, "${hex(path)}", O_RDWR|O_CREAT|O_CLOEXEC, 0600) = ${descriptor}`;
const parse = (...lines: readonly string[]) => parseTrace([...lines, ""].join("\n"), "/data");

describe("a log of strace", () => {
  it("shows the changes of the files in the folder, and of no others", () => {
    const steps = parse(
      open("/data/a.db", 7),
      open("/elsewhere/b.db", 8),
      `1  pwrite64(7, "${hex("new")}", 3, 4096)      = 3`,
      `1  pwrite64(8, "${hex("new")}", 3, 0)      = 3`,
      "1  fsync(7)                         = 0",
      "1  ftruncate(7, 12)                 = 0",
      `1  unlink("${hex("/data/a.db")}") = 0`,
    );
    expect(steps).toEqual([
      { kind: "created", file: "a.db" },
      { kind: "written", file: "a.db", at: 4096, bytes: Buffer.from("new") },
      { kind: "synced", file: "a.db" },
      { kind: "truncated", file: "a.db", size: 12 },
      { kind: "removed", file: "a.db" },
    ]);
  });

  it("joins the two parts of a call that another thread interrupted, at the place of its end", () => {
    const steps = parse(
      open("/data/a.db", 7),
      "1  fsync(7 <unfinished ...>",
      `2  pwrite64(7, "${hex("x")}", 1, 0) = 1`,
      "1  <... fsync resumed>)              = 0",
    );
    expect(steps.map(({ kind }) => kind)).toEqual(["created", "written", "synced"]);
  });

  it("ignores calls that failed or never ended, and the part of a write that was not written", () => {
    const steps = parse(
      open("/data/a.db", 7),
      "1  fsync(7)                         = -1 EIO (Input/output error)",
      `1  pwrite64(7, "${hex("abc")}", 3, 0)      = 2`,
      "1  fsync(7 <unfinished ...>",
      "2  ???()                             = ?",
      "3  fsync(7 <unfinished ...>",
      "3  <... ??? resumed>)                = ?",
      "4  fsync(7 <detached ...>",
      "1  +++ killed by SIGKILL +++",
    );
    expect(steps.slice(1)).toEqual([{ kind: "written", file: "a.db", at: 0, bytes: Buffer.from("ab") }]);
  });

  it("finds the folder by its descriptor, and the new file of a descriptor that is used again", () => {
    const folder = `1  openat(AT_FDCWD, "${hex("/data")}", O_RDONLY|O_CLOEXEC) = 7`;
    const steps = parse(
      folder,
      "1  fsync(7) = 0",
      "1  close(7) = 0",
      "1  fsync(7) = 0",
      open("/data/a.db", 7),
      "1  fsync(7) = 0",
    );
    expect(steps.map(({ kind }) => kind)).toEqual(["folder-synced", "created", "synced"]);
  });

  it("shows the answers to callers and the requests to receivers", () => {
    const steps = parse(
      `1  writev(9, [{iov_base="${hex('HTTP/1.1 200 OK\r\n\r\n{"messageId":"m1"}')}", iov_len=9}], 1) = 9`,
      `1  write(9, "${hex('HTTP/1.1 503 Busy\r\n\r\n{"messageId":"m2"}')}", 9) = 9`,
      `1  write(8, "${hex("POST /crm HTTP/1.1\r\n\r\n")}", 9) = 9`,
      `1  write(8, "${hex('{"messageId":"m1"}')}", 9) = 9`,
    );
    expect(steps).toEqual([
      { kind: "answered", messageId: "m1" },
      { kind: "requested", unit: "crm/m1" },
    ]);
  });

  it.each([
    ["renames a file", `1  rename("${hex("/data/a.db")}", "${hex("/data/b.db")}") = 0`],
    ["writes a file in another way", `1  writev(7, [{iov_base="${hex("x")}", iov_len=1}], 1) = 1`],
    ["shares its memory with a file", "1  mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 7, 0) = 0x7f"],
    ["is cut short", `1  pwrite64(7, "${hex("x")}"..., 300000, 0) = 300000`],
    ["cannot be read", "1  what is this"],
  ])("is refused if it %s", (_what, line) => {
    expect(() => parse(open("/data/a.db", 7), line)).toThrow(/a\.db|cut short|not a line/);
  });
});

// An error of the driver says to a relay whether a write may have happened, and shows nothing that a person has written.

import { createStoreError } from "@postrider/core";
import { describe, expect, it } from "vitest";
import {
  endsConnections,
  nameConnectError,
  nameDatabaseError,
  sqlStateOf,
} from "../../packages/postgres/src/connection/name-error.js";

const QUOTING = "duplicate key value violates: Key (name)=(ann@example.com)";

function ofDriver(code: unknown, message = QUOTING): Error {
  return Object.assign(new Error(message), { code });
}

describe("an error of the database", () => {
  it.each([
    ["busy", ["40001", "40P01", "55P03", "53300", "57P03", "25006", "57014"]],
    ["full", ["53100"]],
    ["corrupt", ["XX001", "XX002"]],
    ["unavailable", ["23505", "08006", "42P01", "57P01", "ECONNRESET"]],
  ])("is %s with the codes %j", (code, states) => {
    expect(states.map((state) => nameDatabaseError(ofDriver(state)).code)).toEqual(states.map(() => code));
  });

  it("is shown by its code alone, since its text may quote values", () => {
    const error = ofDriver("23505");
    expect(nameDatabaseError(error)).toMatchObject({ message: "PostgreSQL: 23505", cause: error });
  });

  it("without a code is shown by its text, since it is the platform's", () => {
    expect(nameDatabaseError(ofDriver(undefined, "socket hang up"))).toMatchObject({
      code: "unavailable",
      message: "PostgreSQL: socket hang up",
    });
    expect(nameDatabaseError(ofDriver(23_505, "odd"))).toMatchObject({ message: "PostgreSQL: odd" });
  });

  it.each([[undefined], [null], ["text"], [{}]])("that is %j, which is no error, gives no reason", (thrown) => {
    const named = nameDatabaseError(thrown);
    expect([named.code, named.message]).toEqual(["unavailable", "PostgreSQL: no reason given"]);
    expect(sqlStateOf(thrown)).toBe("");
  });

  it("that is one of the port stays the same object, whatever its code", () => {
    const error = createStoreError("full", "the journal");
    expect(nameDatabaseError(error)).toBe(error);
  });
});

describe("a connection that cannot be taken", () => {
  it("makes a request busy whatever the reason, since nothing was sent", () => {
    for (const code of ["XX001", "53100", "28P01", "ECONNREFUSED"])
      expect(nameConnectError(ofDriver(code))).toMatchObject({
        code: "busy",
        message: `no connection: PostgreSQL: ${code}`,
      });
  });
});

describe("a server that takes no writes or goes away", () => {
  it("ends its connections, and no other error does", () => {
    for (const code of ["25006", "57P01", "57P02", "57P03", "57P05"])
      expect(endsConnections(ofDriver(code))).toBe(true);
    for (const code of ["40001", "57014", "23505", undefined]) expect(endsConnections(ofDriver(code))).toBe(false);
  });
});

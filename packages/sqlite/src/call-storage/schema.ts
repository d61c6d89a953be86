// The tables of the file with the calls of a client. They are changed as those of the store are: see `SCHEMA_STEPS`.

/** The application id of a file with calls: "PCal" in ASCII. */
export const CALLS_ID = 0x5043616c;

/**
 * `id` is the order in which calls were first stored. `checksum` covers all columns that are handed out; see
 * `rows/checksum.ts`.
 */
const TABLES = `
  create table call (
    id integer primary key,
    message_id text not null unique,
    type text not null,
    json text not null,
    checksum integer not null
  ) strict;

  create table call_total (n integer not null) strict;
  insert into call_total values (0);

  pragma application_id = ${String(CALLS_ID)};
`;

export const CALLS_STEPS: readonly string[] = [TABLES];

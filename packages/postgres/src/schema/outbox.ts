// The calls that hosts make in their own transactions. Nothing but the number of a row is unique, so that no transaction of a host
// waits there for another one.

export const OUTBOX = `
create table outbox (
  bucket int2 not null default 0,
  id int8 generated always as identity,
  written_at timestamptz not null default now(),
  source text not null,
  call text not null,
  primary key (bucket, id)
);
`;

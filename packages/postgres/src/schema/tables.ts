// The tables of the first step of the schema. `bucket` leads every key of what grows with the calls: it is 0 today, and is there so
// that such tables can be spread over nodes without a rewrite (decision: postgres). All instants are milliseconds since 1970.

/**
 * Texts of callers are `bytea`, since they may contain U+0000 and lone surrogates; what is looked up by a text has its hash as key.
 * `message`, `ended` and `attempt` are append-only, but for what a request about users removes. The numbers of states, reasons and kinds
 * are those of `delivery-store/codes.ts`. A `size` below 0 stands for a body that has been purged. A lease is of one
 * lane and one commit or claim: so what is in flight elsewhere costs nothing (decision: leases of a lane). `low` and `high` bound its ids.
 */
export const TABLES = `
create sequence block;
create sequence row_number;

create table source (
  id int4 generated always as identity primary key,
  name bytea not null,
  is_audience boolean not null
);
create unique index source_name on source (sha256(name));

create table lane (
  id int4 generated always as identity primary key,
  name bytea not null
);
create unique index lane_name on lane (sha256(name));

create table message (
  bucket int2 not null,
  leaf int2 not null,
  id int8 not null,
  root int8,
  replay_of int8,
  replay_of_place int4,
  source int4 not null,
  message_id bytea not null,
  type int2 not null,
  accepted_at int8 not null,
  user_one uuid,
  user_two uuid,
  deletion uuid,
  traceparent bytea,
  size int4 not null,
  body bytea
) partition by list (leaf);
alter table message alter column body set storage external;
create index message_root on message (bucket, root) where root is not null;
create index message_deletion on message (bucket, deletion) where deletion is not null;

create table lease (
  bucket int2 not null,
  id int8 not null generated always as identity,
  token uuid not null,
  process bytea not null,
  lane int4 not null,
  until int8 not null,
  open int4 not null,
  done varbit not null,
  is_purged boolean not null default false,
  low int8 not null,
  high int8 not null,
  ids int8[] not null,
  places int4[] not null,
  sources int4[] not null,
  sizes int4[] not null,
  rounds int4[],
  firsts int8[],
  details bytea[],
  endpoints bytea[],
  excerpts bytea[],
  primary key (bucket, id)
) with (fillfactor = 60, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0);
alter table lease alter column ids set storage external, alter column places set storage external,
  alter column sources set storage external, alter column sizes set storage external;
create index lease_token on lease (token, bucket);
create index lease_lane on lease (lane, bucket, until);

create table waiting (
  bucket int2 not null,
  lane int4 not null,
  tried boolean not null,
  due_at int8 not null,
  id int8 not null,
  place int4 not null,
  source int4 not null,
  size int4 not null,
  rounds int4 not null,
  first_at int8,
  detail bytea,
  endpoints bytea,
  excerpts bytea,
  primary key (bucket, lane, tried, due_at, id, place)
);
create index waiting_delivery on waiting (bucket, id, place);
create index waiting_first on waiting (bucket, lane, first_at) where first_at is not null;

create table early (
  bucket int2 primary key,
  at int8 not null
);

create table ended (
  bucket int2 not null,
  leaf int2 not null,
  id int8 not null,
  place int4 not null,
  lane int4 not null,
  source int4 not null,
  state int2 not null,
  reason int2,
  finished_at int8 not null,
  detail bytea,
  attempt_count int4 not null,
  attempts bytea,
  endpoints bytea,
  excerpts bytea
) partition by list (leaf);

create table attempt (
  bucket int2 not null,
  leaf int2 not null,
  id int8 not null,
  place int4 not null,
  number int8 not null default nextval('row_number'),
  attempt_count int4 not null,
  attempts bytea not null
) partition by list (leaf);

create table replayed (
  bucket int2 not null,
  leaf int2 not null,
  id int8 not null,
  place int4 not null
) partition by list (leaf);

create table lapse (
  bucket int2 not null,
  leaf int2 not null,
  id int8 not null,
  place int4 not null,
  number int8 not null default nextval('row_number'),
  count int4 not null,
  process bytea not null,
  lease_until int8 not null,
  taken_at int8 not null,
  taken_by bytea
) partition by list (leaf);

create table seen (
  bucket int2 not null,
  leaf int2 not null,
  key uuid not null,
  source int4 not null,
  seen_at int8 not null,
  deliveries int4 not null,
  primary key (bucket, key, leaf)
) partition by list (leaf);

create table delta (
  bucket int2 not null,
  number int8 not null generated always as identity,
  sources int4[] not null,
  kinds int2[] not null,
  counts int8[] not null,
  lanes int4[] not null,
  deliveries int8[] not null,
  bytes int8[] not null,
  by int8 not null default pg_current_xact_id()::text::int8,
  primary key (bucket, number)
);

create table tally (
  bucket int2 not null,
  source int4 not null,
  kind int2 not null,
  count int8 not null,
  primary key (bucket, source, kind)
);

create table lane_total (
  bucket int2 not null,
  lane int4 not null,
  deliveries int8 not null,
  bytes int8 not null,
  changed_by int8 not null,
  primary key (bucket, lane)
) with (fillfactor = 70);
create index lane_total_change on lane_total (bucket, changed_by);

create table deletion (
  number int4 primary key,
  key uuid not null unique,
  name bytea not null,
  regulation int2 not null,
  sources int4[],
  covers_all boolean not null,
  requested_at int8 not null,
  finished_at int8,
  users int4 not null,
  up_to int8 not null,
  looked_at int8 not null,
  is_purged boolean not null,
  is_notifying boolean not null,
  purged int4 not null default 0,
  notified int4 not null default 0
);
create index deletion_unpurged on deletion (number) where not is_purged;

create table deletion_user (
  number int4 not null,
  place int4 not null,
  user_key uuid not null,
  name bytea not null,
  primary key (number, place)
);
create index deletion_user_key on deletion_user (user_key);

create table swept_notice (
  deletion uuid not null,
  source int4 not null,
  stored int8 not null,
  delivered int8 not null,
  dead int8 not null,
  primary key (deletion, source)
);

create table suppressed (
  user_key uuid primary key,
  name bytea not null
);

-- key is a hash of the name, and orders the records of a kind.
create table record (
  kind text not null,
  key uuid not null,
  name bytea not null,
  revision int8 not null,
  tag text,
  body bytea not null,
  checksum bytea not null,
  primary key (kind, key)
);
alter table record alter column body set storage external;
create index record_tag on record (kind, tag, key) where tag is not null;
`;

// The steps of the schema that lead to the versions 6 to 13. `schema.ts` has the other steps, and the list of all.

/**
 * A delivery repeats the columns of its message that a settlement needs. `size` is the bytes of the body, and null once
 * the body is purged. `remembers`: whether the delivery has stored states of endpoints. Deliveries finished before this
 * step keep the defaults.
 */
export const SETTLING_STEP = `
  alter table delivery add column source text;
  alter table delivery add column size integer;
  alter table delivery add column deletion text;
  alter table delivery add column remembers integer not null default 0;
  update delivery set
    source = m.source,
    size = case when m.wiped is null then coalesce(length(m.body), 0) end,
    deletion = m.deletion,
    remembers = exists (select 1 from endpoint_state where delivery = delivery.id)
  from message m where m.id = delivery.message and delivery.due_at is not null;
`;

/** The index of due deliveries now includes whether a delivery was tried before, so that a claim can limit each kind. */
export const TRIED_KINDS_STEP = `
  drop index delivery_due;
  create index delivery_due on delivery (lane, rounds > 0, due_at) where due_at is not null;
`;

/**
 * Accepted message ids are stored in blocks, in order. The key `last` of a block is the number of its last id. `ids` is
 * JSON; `hashes` has 8 bytes for each id, computed with `seen_key`. See `delivery-store/dedupe`.
 */
export const DEDUPE_STEP = `
  drop index message_by_id;
  create table seen_key (key blob not null) strict;
  insert into seen_key values (randomblob(8));
  create table seen_hash (last integer primary key, hashes blob not null) strict;
  create table seen_id (last integer primary key, at integer not null, ids text not null) strict;
`;

/**
 * User ids of members are in rows that fill their pages, and in no index; see `audience-store/full-pages.ts`. `bytes` of a
 * page are two lines of JSON: its user ids, and their values if there are any. `place` is the order of the pages of a set.
 */
export const FULL_PAGES_STEP = `
  alter table audience rename to audience_before;
  alter table member_page rename to member_page_before;

  create table audience (
    key text primary key,
    revision integer not null,
    record integer not null,
    checksum integer not null
  ) strict, without rowid;

  create table audience_record (
    id integer primary key,
    bytes blob not null
  ) strict;

  create table member_page (
    id integer primary key,
    last_id blob not null,
    bytes blob not null
  ) strict;

  create table member_place (
    member_set integer not null,
    place integer not null,
    page integer not null,
    checksum integer not null,
    primary key (member_set, place)
  ) strict, without rowid;
`;

/** The lanes that an operator has paused. */
export const PAUSES_STEP = `
  create table lane_pause (lane text primary key, paused_at integer not null) strict, without rowid;
`;

/** The records of replay jobs, as JSON. There are at most 1,000, so no index is needed to list them by their creation. */
export const REPLAY_JOBS_STEP = `
  create table replay_job (
    id text primary key,
    revision integer not null,
    is_running integer not null,
    created_at integer not null,
    record text not null,
    checksum integer not null
  ) strict;
`;

/** The span in which a message was accepted; null in nearly all rows. */
export const TRACEPARENT_STEP = "alter table message add column traceparent text";

/** The revisions of the settings that are kept. `document` is JSON, as it was put. */
export const SETTINGS_STEP = `
  create table settings_revision (
    revision integer primary key,
    changed_at integer not null,
    actor text,
    document text not null,
    checksum integer not null
  ) strict;
`;

/** What processes on the file tell each other: which of them live, and the record of each lane, as JSON. SQLite makes 0 of a tiny share. */
export const BOARD_STEP = `
  create table board_process (process text primary key, share text not null, seen_at integer not null) strict, without rowid;

  create table board_row (
    lane text primary key,
    record text not null,
    changed integer not null,
    checksum integer not null
  ) strict, without rowid;
  create index board_row_changed on board_row (changed);
`;

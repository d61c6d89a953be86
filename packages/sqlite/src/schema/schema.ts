// The tables of a stored file, as steps, which are only added, never changed: a file keeps the result of each. A message holds its
// body once; each of its deliveries points at it. There are no foreign keys: rows that belong together are written and removed in
// one transaction. `test/files` has a stored file of each version.

import type { SqliteDatabase } from "../file/database.js";
import { fillPages } from "./fill-pages.js";
import { fillChecksums } from "./fill-checksums.js";
import { fillErasableTables } from "./fill-erasable-tables.js";
import { fillDedupe } from "./fill-dedupe.js";
import { FULL_PAGES_STEP, PAUSES_STEP, REPLAY_JOBS_STEP, TRIED_KINDS_STEP } from "./later-steps.js";
import { BOARD_STEP, DEDUPE_STEP, SETTINGS_STEP, SETTLING_STEP, TRACEPARENT_STEP } from "./later-steps.js";

/** The application id of a store's file: "Post" in ASCII. */
export const APPLICATION_ID = 0x506f7374;

/**
 * `due_at` is when a delivery can be claimed: when it is due, or its lease ends; null once finished. So one index
 * serves waiting deliveries and those whose claim has expired. `state` is the index in core's DELIVERY_STATES.
 * `delivery_standing` answers lists by destination and state, newest first, and has the columns by which these lists
 * filter.
 */
const FIRST = `
  create table message (
    id integer primary key,
    source text not null,
    message_id text not null,
    type text not null,
    body blob
  ) strict;
  create index message_by_id on message (message_id);

  create table delivery (
    id integer primary key autoincrement,
    message integer not null,
    lane text not null,
    state integer not null,
    replayed integer not null default 0,
    accepted_at integer not null,
    due_at integer,
    token text,
    rounds integer not null default 0,
    attempt_count integer not null default 0,
    first_attempt_at integer,
    finished_at integer,
    reason text,
    detail text,
    replay_of integer
  ) strict;
  create index delivery_due on delivery (lane, due_at) where due_at is not null;
  create index delivery_tried on delivery (lane, first_attempt_at)
    where due_at is not null and first_attempt_at is not null;
  create index delivery_standing on delivery (lane, state, replayed, id, accepted_at);
  create index delivery_finished on delivery (state, finished_at) where finished_at is not null;
  create index delivery_message on delivery (message);

  create table attempt (
    delivery integer not null,
    place integer not null,
    round integer not null,
    endpoint text not null,
    started_at integer not null,
    duration_ms real not null,
    status integer,
    fault text,
    verdict text not null,
    primary key (delivery, place)
  ) strict, without rowid;

  create table endpoint_state (
    delivery integer not null,
    place integer not null,
    endpoint text not null,
    refused integer not null,
    excerpt blob,
    primary key (delivery, place)
  ) strict, without rowid;

  create table lane (
    lane text primary key,
    deliveries integer not null,
    bytes integer not null
  ) strict, without rowid;

  create table tally (
    source text primary key,
    accepted integer not null,
    filtered integer not null,
    waiting integer not null,
    claimed integer not null,
    delivered integer not null,
    dead integer not null,
    refused integer not null,
    duplicates integer not null,
    suppressed integer not null,
    shed integer not null
  ) strict, without rowid;

  create table seen (
    message_id text not null,
    source text not null,
    seen_at integer not null,
    primary key (message_id, source)
  ) strict, without rowid;
  create index seen_by_time on seen (seen_at);

  create table seen_total (n integer not null) strict;
  insert into seen_total values (0);

  pragma application_id = ${String(APPLICATION_ID)};
`;

/** `checksum` covers the contents of the delivery's message, its id and its lane; see `checksum.ts`. */
const CHECKSUMS = "alter table delivery add column checksum integer not null default 0";

/**
 * A set of members is stored in pages, each a list of user ids in order, as JSON; `traits` is the list of their values,
 * if there are any. `last_id` is the sort key of the last user id, so that pages are sorted as core compares ids; see
 * `audience-store/page.ts`.
 */
const AUDIENCES = `
  create table audience (
    key text primary key,
    revision integer not null,
    record text not null,
    checksum integer not null
  ) strict, without rowid;

  create table member_set (
    id integer primary key,
    name text not null unique
  ) strict;

  create table member_page (
    id integer primary key,
    member_set integer not null,
    last_id blob not null,
    checksum integer not null,
    traits text,
    user_ids text not null
  ) strict;
  create unique index member_page_by_last on member_page (member_set, last_id);
`;

/**
 * A message has the ids of its users, and in `deletion` the request if the message is a notice. `wiped` is 1 if its
 * body has been purged, 2 if it has no delivery any more, and null if its body must exist. Messages and excerpts are in
 * erasable tables (see `rows/erasable-table.ts`). There is no index from users to messages: a purge scans all
 * deliveries up to the last that the request covers, because the ids of deliveries never change, and those of messages
 * do. The users of a request are in one row, which is emptied and stays: no row of that table is removed, since that
 * could leave copies.
 */
const DELETIONS = `
  drop index message_by_id;
  alter table message rename to message_before;
  create table message (
    id integer primary key,
    source text not null,
    message_id text not null,
    type text not null,
    user_id text,
    previous_id text,
    deletion text,
    wiped integer,
    body blob
  ) strict;
  create index message_by_id on message (message_id);

  alter table endpoint_state rename to endpoint_state_before;
  create table endpoint_state (
    delivery integer not null,
    place integer not null,
    endpoint text not null,
    refused integer not null,
    excerpt integer,
    primary key (delivery, place)
  ) strict, without rowid;

  create table excerpt (
    id integer primary key,
    delivery integer not null,
    place integer not null,
    bytes blob
  ) strict;
  create index excerpt_kept on excerpt (id) where bytes is not null;

  create table suppressed (user_id text primary key) strict, without rowid;

  create table deletion (
    row integer primary key,
    id text not null unique,
    regulation text not null,
    sources text,
    requested_at integer not null,
    finished_at integer,
    users integer not null,
    notified integer not null default 0,
    purged integer not null default 0,
    last_delivery integer not null,
    looked_at integer not null default 0,
    is_purged integer not null
  ) strict;
  create index deletion_unpurged on deletion (row) where is_purged = 0;
  create index deletion_unfinished on deletion (row) where finished_at is null;

  create table deletion_users (
    deletion integer primary key,
    user_ids text
  ) strict;

  create table notice (
    deletion text not null,
    source text not null,
    stored integer not null,
    delivered integer not null,
    dead integer not null,
    primary key (deletion, source)
  ) strict, without rowid;
`;

/** Calls that were accepted before this step are not counted in `received`. */
const RECEIVED = "alter table tally add column received integer not null default 0";

export interface SchemaStep {
  readonly sql: string;
  /** The part of the step that SQL cannot do, run in the same transaction. */
  readonly fill?: (database: SqliteDatabase) => void;
}

/** Step n leads from version n to version n + 1. */
export const SCHEMA_STEPS: readonly SchemaStep[] = [
  { sql: FIRST },
  { sql: CHECKSUMS, fill: fillChecksums },
  { sql: AUDIENCES },
  { sql: DELETIONS, fill: fillErasableTables },
  { sql: RECEIVED },
  { sql: SETTLING_STEP },
  { sql: TRIED_KINDS_STEP },
  { sql: DEDUPE_STEP, fill: fillDedupe },
  { sql: FULL_PAGES_STEP, fill: fillPages },
  { sql: PAUSES_STEP },
  { sql: REPLAY_JOBS_STEP },
  { sql: TRACEPARENT_STEP },
  { sql: SETTINGS_STEP },
  { sql: BOARD_STEP },
];

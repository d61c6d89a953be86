// The board on which processes tell each other of their lanes, and the lanes that have changed. A change has the id of its transaction, not
// a number of its row: of two numbers, the lower one may be committed after the higher one was read. A cursor or mark is a snapshot of one
// start of the server: what it does not see is later, and after another start everything is.

export const BOARD = `
create table board_process (
  key uuid primary key,
  name bytea not null,
  share float8 not null,
  seen_at int8 not null
);

create table board_lane (
  key uuid primary key,
  revision int8 not null,
  changed_by xid8 not null,
  record bytea not null
) with (fillfactor = 70);
create index board_lane_change on board_lane (changed_by);

-- The lanes that changed between two snapshots, in the order of their keys; all, without an earlier snapshot of this start of the server.
create function read_board(p_since text, p_until text, p_after uuid, p_limit int4)
returns table (until text, key text, record bytea) language plpgsql stable set search_path from current as $fn$
#variable_conflict use_column
declare
  v_start text := server_start();
  v_since pg_snapshot := case when split_part(p_since, '-', 1) = v_start then split_part(p_since, '-', 2) end;
begin
  until := coalesce(p_until, v_start || '-' || pg_current_snapshot());
  for key, record in
    select b.key::text, b.record from board_lane b
    where (v_since is null or b.changed_by >= pg_snapshot_xmin(v_since) and not pg_visible_in_snapshot(b.changed_by, v_since))
      and (p_after is null or b.key > p_after)
    order by b.key limit p_limit
  loop
    return next;
  end loop;
  key := null; record := null;
  return next;
end
$fn$;

-- Beats follow one another, so that of two the second sees the first. Answers with the processes, then with the lanes; the last row
-- has the snapshot alone.
create function beat(
  p_now int8, p_key uuid, p_name bytea, p_share float8, p_live_ms int8, p_since text, p_until text, p_after uuid, p_limit int4
) returns table (name bytea, share float8, until text, key text, record bytea)
language plpgsql volatile set search_path from current as $fn$
#variable_conflict use_column
declare
  v_now int8;
begin
  perform promise_durable();
  perform pg_advisory_xact_lock(hashtext(current_schema()), -3);
  v_now := coalesce(p_now, clock_ms());
  insert into board_process as b (key, name, share, seen_at) values (p_key, p_name, p_share, v_now)
  on conflict (key) do update set share = excluded.share, seen_at = excluded.seen_at;
  delete from board_process b where abs(b.seen_at - v_now) > p_live_ms;
  -- No transaction of this cluster has such a number: the row was restored from another one, and would be told until it has.
  if (select b.changed_by from board_lane b order by b.changed_by desc limit 1) >= pg_snapshot_xmax(pg_current_snapshot()) then
    update board_lane b set changed_by = pg_current_xact_id() where b.changed_by >= pg_snapshot_xmax(pg_current_snapshot());
  end if;
  return query select b.name, b.share, null::text, null::text, null::bytea from board_process b;
  return query select null::bytea, null::float8, r.until, r.key, r.record from read_board(p_since, p_until, p_after, p_limit) r;
end
$fn$;

-- In the order of their keys, so that two never wait for each other. Answers with what is stored in place of those that are refused.
create function write_board(p_keys uuid[], p_revisions int8[], p_records bytea[])
returns table (record bytea) language plpgsql volatile set search_path from current as $fn$
#variable_conflict use_column
begin
  perform promise_durable();
  -- Writes of the same lanes follow one another: otherwise a row could be refused for what was stored a moment ago, and be answered
  -- with what is stored now. Lanes share sixteen locks, which are taken in one order.
  perform pg_advisory_xact_lock(hashtext(current_schema()), s.stripe)
  from (select distinct -16 - (get_byte(uuid_send(k), 15) & 15) as stripe from unnest(p_keys) k order by 1) s;
  for i in 1 .. cardinality(p_keys) loop
    if p_revisions[i] = 1 then
      insert into board_lane (key, revision, changed_by, record)
      values (p_keys[i], 1, pg_current_xact_id(), p_records[i]) on conflict do nothing;
    else
      update board_lane b set revision = p_revisions[i], changed_by = pg_current_xact_id(), record = p_records[i]
      where b.key = p_keys[i] and b.revision = p_revisions[i] - 1;
    end if;
    if not found then
      return query select b.record from board_lane b where b.key = p_keys[i];
    end if;
  end loop;
end
$fn$;
`;

// Whatever changes a lane names it in its row of delta, with its transaction; a fold keeps the latest one with the sum.
export const LANE_CHANGES = `
-- Between the pages of one answer p_until is its mark, and p_after the last lane returned. The last row is that of the mark; there is
-- none if the changes since the mark are not known.
create function lane_changes(
  p_bucket int2, p_since text, p_until int8, p_after int4, p_limit int4, p_low_lanes int4[], p_lows int8[], p_full_at int8[]
)
returns table (name bytea, deliveries int8, bytes int8, next_due_at int8, first_at int8, until text, last int4)
language plpgsql volatile set search_path from current
set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
#variable_conflict use_column
declare
  v_start text := server_start();
  v_since int8 := split_part(p_since, '-', 2);
  v_until int8;
  v_lanes int4[];
begin
  perform set_config('synchronous_commit', 'off', true);
  perform fold(p_bucket);
  v_until := coalesce(p_until, pg_snapshot_xmin(pg_current_snapshot())::text::int8);
  if split_part(p_since, '-', 1) <> v_start or v_since > pg_snapshot_xmax(pg_current_snapshot())::text::int8 then return; end if;
  select array_agg(c.lane order by c.lane) into v_lanes from (
    select distinct u.lane from (
      select t.lane from lane_total t where t.bucket = p_bucket and t.changed_by >= v_since
      union all
      select e.lane from delta d cross join lateral unnest(d.lanes) e(lane) where d.bucket = p_bucket and d.by >= v_since
    ) u where u.lane > p_after order by 1 limit p_limit + 1
  ) c;
  if cardinality(v_lanes) > 0 and p_limit > 0 then
    return query select r.name, r.deliveries, r.bytes, r.next_due_at, r.first_at, null::text, null::int4
    from read_lanes(p_bucket, clock_ms(), v_lanes[1:p_limit], null, p_limit, p_low_lanes, p_lows, p_full_at) r;
  end if;
  return query select null::bytea, null::int8, null::int8, null::int8, null::int8, v_start || '-' || v_until,
    case when cardinality(v_lanes) > p_limit then case when p_limit > 0 then v_lanes[p_limit] else p_after end end;
end
$fn$;
`;

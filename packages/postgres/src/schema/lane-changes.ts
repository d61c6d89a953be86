// Which lanes have changed. A mark is a snapshot: what was written by a transaction before it is told, and by none after it. Whatever
// changes a lane names it in its row of delta, with its transaction; a fold keeps the latest one with the sum.

export const LANE_CHANGES = `
-- Between the pages of one answer p_until is its mark, and p_after the last lane told. The last row is that of the mark, unless what
-- has changed since is not known.
create function lane_changes(
  p_bucket int2, p_since text, p_until int8, p_after int4, p_limit int4, p_low_lanes int4[], p_lows int8[], p_full_at int8[]
)
returns table (name bytea, deliveries int8, bytes int8, next_due_at int8, first_at int8, until text, last int4)
language plpgsql volatile set search_path from current
set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
#variable_conflict use_column
declare
  -- A transaction that was lost with a crash may have had a number that is given again: so a mark is of one start of the server.
  v_start text := floor(extract(epoch from pg_postmaster_start_time()) * 1000)::int8::text;
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

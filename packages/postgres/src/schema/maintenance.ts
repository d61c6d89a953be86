// Functions that concern many deliveries: ending, bringing forward, sweeping. The first two are rare, and alone on the storage while
// they run, so that commits and claims need not consider them; callers bound all by their limits. A sweep keeps only other sweeps and
// replays waiting.

export const MAINTAIN = `
create function end_lane(
  p_bucket int2, p_now int8, p_lane int4, p_reason int2, p_detail bytea, p_first_before int8, p_accepted_before int8, p_limit int4
) returns int4 language plpgsql volatile set search_path from current as $fn$
#variable_conflict use_column
declare
  v_now int8 := coalesce(p_now, clock_ms());
  v_row record;
  v_count int4 := 0;
  v_is_gone boolean;
  l_lease int8[] := '{}'; l_pos int4[] := '{}';
  x_source int4[] := '{}'; x_kind int2[] := '{}'; x_count int8[] := '{}';
  v_bytes int8 := 0;
begin
  perform enter_alone();
  for v_row in
    select * from (
      select 0::int8 as lease, 0 as pos, w.id, w.place, w.tried, w.due_at, w.source, w.size, w.first_at, w.detail, w.endpoints, w.excerpts
      from waiting w where w.bucket = p_bucket and w.lane = p_lane
      union all
      select l.id, e.pos::int4, e.id, e.place, false, l.until, l.sources[e.pos], l.sizes[e.pos], l.firsts[e.pos], l.details[e.pos],
        l.endpoints[e.pos], l.excerpts[e.pos]
      from lease l cross join lateral unnest(l.ids, l.places) with ordinality e(id, place, pos)
      where l.bucket = p_bucket and l.lane = p_lane and l.until <= v_now and get_bit(l.done, e.pos::int4 - 1) = 0
    ) u
    where (p_first_before is null or u.first_at < p_first_before)
      and (p_accepted_before is null
        or exists (
          select 1 from message m
          where m.bucket = p_bucket and m.leaf in (leaf_of(u.id), -1) and m.id = u.id and m.accepted_at < p_accepted_before))
    limit p_limit
  loop
    v_is_gone := v_row.size < 0 or is_covered(p_bucket, v_row.id);
    insert into ended (bucket, leaf, id, place, lane, source, state, reason, finished_at, detail, attempt_count, endpoints, excerpts)
    values (p_bucket, leaf_now(v_row.id), v_row.id, v_row.place, p_lane, v_row.source, 3, case when v_is_gone then 3 else p_reason end, v_now,
      case when v_is_gone then v_row.detail else coalesce(p_detail, v_row.detail) end, 0, v_row.endpoints, v_row.excerpts);
    if v_row.lease = 0 then
      delete from waiting w where w.bucket = p_bucket and w.lane = p_lane and w.tried = v_row.tried and w.due_at = v_row.due_at
        and w.id = v_row.id and w.place = v_row.place;
    else
      l_lease := l_lease || v_row.lease; l_pos := l_pos || v_row.pos;
    end if;
    x_source := x_source || v_row.source || v_row.source;
    x_kind := x_kind || (case when v_row.lease = 0 then 1 else 2 end)::int2 || 4::int2;
    x_count := x_count || (-1)::int8 || 1::int8;
    v_bytes := v_bytes + greatest(v_row.size, 0);
    v_count := v_count + 1;
  end loop;
  if v_count > 0 then
    perform note_lapses(p_bucket, v_now, l_lease, l_pos, null);
    perform mark_done(p_bucket, l_lease, l_pos);
    perform add_delta(p_bucket, x_source, x_kind, x_count, array[p_lane], array[-v_count]::int8[], array[-v_bytes]::int8[]);
  end if;
  return v_count;
end
$fn$;

create function pull_in(p_bucket int2, p_now int8, p_lane int4, p_due_after int8, p_due_at int8, p_limit int4) returns int4
language plpgsql volatile set search_path from current as $fn$
#variable_conflict use_column
declare
  v_count int4;
  v_more int4;
  v_lease record;
begin
  perform enter_alone();
  perform note_early(p_bucket, coalesce(p_now, clock_ms()), array[p_due_at]);
  with late as (
    select w.tried, w.due_at, w.id, w.place from waiting w
    where w.bucket = p_bucket and w.lane = p_lane and w.due_at > p_due_after limit p_limit
  )
  update waiting w set due_at = p_due_at from late l
  where w.bucket = p_bucket and w.lane = p_lane and w.tried = l.tried and w.due_at = l.due_at and w.id = l.id and w.place = l.place;
  get diagnostics v_count = row_count;

  -- What is claimed stays so under its token, and gets a separate lease, which ends earlier.
  for v_lease in
    select l.id, array_agg(e.pos order by e.pos) as pos
    from lease l cross join lateral generate_series(1, length(l.done)) e(pos)
    where l.bucket = p_bucket and l.lane = p_lane and l.until > p_due_after and get_bit(l.done, e.pos - 1) = 0
    group by l.id
  loop
    v_more := least(cardinality(v_lease.pos), p_limit - v_count);
    exit when v_more <= 0;
    insert into lease (bucket, token, process, lane, until, open, done, is_purged, low, high, ids, places, sources, sizes, rounds, firsts,
      details, endpoints, excerpts)
    select p_bucket, l.token, l.process, p_lane, p_due_at, v_more, repeat('0', v_more)::varbit, l.is_purged, min(l.ids[p]), max(l.ids[p]),
      array_agg(l.ids[p]), array_agg(l.places[p]), array_agg(l.sources[p]), array_agg(l.sizes[p]), array_agg(coalesce(l.rounds[p], 0)),
      array_agg(l.firsts[p]), array_agg(l.details[p]), array_agg(l.endpoints[p]), array_agg(l.excerpts[p])
    from lease l cross join unnest(v_lease.pos[1:v_more]) p where l.bucket = p_bucket and l.id = v_lease.id
    group by l.token, l.process, l.is_purged;
    perform mark_done(p_bucket, array_fill(v_lease.id, array[v_more]), v_lease.pos[1:v_more]);
    v_count := v_count + v_more;
  end loop;
  if v_count > 0 then perform add_delta(p_bucket, '{}', '{}', '{}', array[p_lane], array[0]::int8[], array[0]::int8[]); end if;
  return v_count;
end
$fn$;

-- Sweeps row by row: what is dead, and what is kept beyond its leaf. What is delivered goes with its leaf, and so does what a leaf was
-- already looked through for.
create function sweep(p_bucket int2, p_delivered_before int8, p_dead_before int8, p_limit int4) returns int4
language plpgsql volatile set search_path from current
set plan_cache_mode = force_generic_plan
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_bitmapscan = off
as $fn$
#variable_conflict use_column
declare
  v_count int4 := 0;
  v_row record;
  v_looked_at int8;
begin
  perform pg_advisory_xact_lock(hashtext(current_schema()), -4);
  perform enter_shared();
  v_looked_at := (select r.looked_at from ring r);
  -- It waits for no row, so that it is part of no deadlock: what is locked is swept the next time.
  for v_row in
    (select d.* from (select e.leaf, e.id, e.place, e.state from ended e where e.bucket = p_bucket and e.leaf = -1 and e.state = 2
      and e.finished_at < p_delivered_before order by e.finished_at limit p_limit for update skip locked) d)
    union all
    (select d.* from (select e.leaf, e.id, e.place, e.state from ended e where e.bucket = p_bucket and e.state = 3
      and e.finished_at < p_dead_before and (e.leaf = -1 or e.id > v_looked_at)
      order by e.finished_at limit p_limit for update skip locked) d)
    limit p_limit
  loop
    perform sweep_row(p_bucket, v_row.leaf, v_row.id, v_row.place, v_row.state);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$fn$;

-- One row after the other, by keys: a plan for many at once may be that of an empty table.
create function sweep_row(p_bucket int2, p_leaf int2, p_id int8, p_place int4, p_state int2) returns void
language plpgsql volatile set search_path from current
set plan_cache_mode = force_generic_plan
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_bitmapscan = off
as $fn$
#variable_conflict use_column
begin
  insert into swept_notice as n (deletion, source, stored, delivered, dead)
    select m.deletion, m.source, 1, (p_state = 2)::int4, (p_state = 3)::int4 from message m
    where m.bucket = p_bucket and m.leaf in (leaf_of(p_id), -1) and m.id = p_id and m.deletion is not null
  on conflict (deletion, source) do update
    set stored = n.stored + excluded.stored, delivered = n.delivered + excluded.delivered, dead = n.dead + excluded.dead;
  delete from attempt a where a.bucket = p_bucket and a.leaf in (leaf_of(p_id), -1) and a.id = p_id and a.place = p_place;
  delete from replayed a where a.bucket = p_bucket and a.leaf in (leaf_of(p_id), -1) and a.id = p_id and a.place = p_place;
  delete from lapse a where a.bucket = p_bucket and a.leaf in (leaf_of(p_id), -1) and a.id = p_id and a.place = p_place;
  delete from ended e where e.bucket = p_bucket and e.leaf = p_leaf and e.id = p_id and e.place = p_place;
  if not exists (select 1 from ended e where e.bucket = p_bucket and e.leaf in (leaf_of(p_id), -1) and e.id = p_id)
    and not exists (select 1 from waiting w where w.bucket = p_bucket and w.id = p_id)
    and not exists (
      select 1 from lease l cross join lateral unnest(l.ids) with ordinality e(id, pos)
      where l.bucket = p_bucket and l.low <= p_id and l.high >= p_id and e.id = p_id and get_bit(l.done, e.pos::int4 - 1) = 0)
  then
    delete from message m where m.bucket = p_bucket and m.leaf in (leaf_of(p_id), -1) and m.id = p_id;
  end if;
end
$fn$;
`;

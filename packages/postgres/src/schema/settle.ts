// The parts of a commit that settle and replay. Only a delivery that is claimed under its token is settled, and once. Leases are locked
// first, in the order of their ids; their contents are read after that, so that a claim which took a delivery over meanwhile is seen. A
// process that knows where its deliveries are in their leases says so, and then no list of a lease is opened.

export const SETTLE = `
create function settle(
  p_bucket int2, p_now int8,
  s_id int8[], s_place int4[], s_token uuid[], s_outcome int2[], s_due int8[], s_reason int2[],
  s_first int8[], s_detail bytea[], s_count int4[], s_attempts bytea[], s_endpoints bytea[], s_excerpts bytea[],
  s_lease int8[], s_pos int4[], s_lane int4[], s_source int4[], s_size int4[],
  out settled text,
  out x_source int4[], out x_kind int2[], out x_count int8[], out y_lane int4[], out y_deliveries int8[], out y_bytes int8[]
) language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_nestloop = off set enable_mergejoin = off set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
#variable_conflict use_column
declare
  v_is_purging boolean;
  v_retired int8;
  v_leases int8[];
  v_is_known boolean;
  h_lease int8[];
  h_pos int4[];
begin
  select exists (select 1 from deletion where not is_purged), r.retired_below into v_is_purging, v_retired from ring r;
  select array_agg(l.id) into v_leases from (
    select l.id from lease l where l.bucket = p_bucket and l.token = any (s_token) order by l.id for update
  ) l;
  if v_leases is null then return; end if;
  -- A lease that was divided or purged since is not as the process knows it: then all are looked for.
  select count(*) = cardinality(s_id) into v_is_known
  from unnest(s_lease, s_pos, s_token) s(lease, pos, token) join lease l on l.id = s.lease and l.token = s.token
  where l.bucket = p_bucket and l.id = any (v_leases) and not l.is_purged and get_bit(l.done, s.pos - 1) = 0;
  if not v_is_known then
    with entry as materialized (
      select l.id as lease, l.token, l.lane, e.* from lease l
      cross join lateral unnest(l.ids, l.places, l.sources, l.sizes) with ordinality e(id, place, source, size, pos)
      where l.bucket = p_bucket and l.id = any (v_leases) and e.id = any (s_id) and get_bit(l.done, e.pos::int4 - 1) = 0
    ), met as (
      select distinct on (s.ord) s.ord, e.lease, e.pos::int4, e.lane, e.source, e.size
      from unnest(s_id, s_place, s_token) with ordinality s(id, place, token, ord)
      left join entry e on e.id = s.id and e.place = s.place and e.token = s.token
      order by s.ord
    )
    select array_agg(m.lease order by m.ord), array_agg(m.pos order by m.ord), array_agg(m.lane order by m.ord),
      array_agg(m.source order by m.ord), array_agg(m.size order by m.ord)
    into s_lease, s_pos, s_lane, s_source, s_size from met m;
  end if;

  with met as (
    select distinct on (s.id, s.place) s.*, coalesce(l.rounds[s.pos], 0) as old_rounds, l.firsts[s.pos] as old_first,
      l.details[s.pos] as old_detail, l.endpoints[s.pos] as old_endpoints, l.excerpts[s.pos] as old_excerpts
    from unnest(s_id, s_place, s_outcome, s_due, s_detail, s_reason, s_first, s_count, s_attempts, s_endpoints, s_excerpts,
        s_lease, s_pos, s_lane, s_source, s_size) with ordinality
      s(id, place, outcome, due, detail, reason, first_at, count, attempts, endpoints, excerpts, lease, pos, lane, source, size, ord)
    join lease l on l.id = s.lease
    where l.bucket = p_bucket and l.id = any (v_leases)
    order by s.id, s.place, s.ord
  ), judged as (
    select m.*, m.size < 0 or (case when v_is_purging then is_covered(p_bucket, m.id) else false end) as is_gone from met m
  ), hit as materialized (
    select j.ord, j.lease, j.pos, j.id, j.place, j.lane, j.source, greatest(j.size, 0) as size, j.size as kept_size, j.due, j.count, j.attempts,
      case when j.is_gone and j.outcome <> 0 then 4 else j.outcome end as outcome,
      case when j.is_gone then 3::int2 else j.reason end as reason,
      j.old_rounds + (case when j.count > 0 then 1 else 0 end) as rounds,
      coalesce(j.old_first, j.first_at) as first_at,
      case when j.outcome = 3 then j.old_detail else coalesce(j.detail, j.old_detail) end as detail,
      case when j.outcome = 3 then j.old_endpoints else j.endpoints end as endpoints,
      case when j.outcome = 3 then j.old_excerpts when j.is_gone then null else j.excerpts end as excerpts
    from judged j
  ), finished as (
    insert into ended
      (bucket, leaf, id, place, lane, source, state, reason, finished_at, detail, attempt_count, attempts, endpoints, excerpts)
    select p_bucket, leaf_for(h.id, v_retired), h.id, h.place, h.lane, h.source, case when h.outcome = 0 then 2 else 3 end,
      case when h.outcome = 0 then null else h.reason end, p_now, h.detail, h.count, h.attempts, h.endpoints, h.excerpts
    from hit h where h.outcome in (0, 1, 4)
  ), put_back as (
    insert into waiting
      (bucket, lane, tried, due_at, id, place, source, size, rounds, first_at, detail, endpoints, excerpts)
    select p_bucket, h.lane, h.rounds > 0, h.due, h.id, h.place, h.source, h.kept_size, h.rounds, h.first_at, h.detail, h.endpoints, h.excerpts
    from hit h where h.outcome in (2, 3)
  ), noted as (
    insert into attempt (bucket, leaf, id, place, attempt_count, attempts)
    select p_bucket, leaf_for(h.id, v_retired), h.id, h.place, h.count, h.attempts from hit h where h.outcome in (2, 3) and h.count > 0
  ), moved as (
    select h.source, k.kind, sum(k.count)::int8 as count from hit h cross join lateral (values
      (2::int2, -1), ((case h.outcome when 0 then 3 when 1 then 4 when 4 then 4 else 1 end)::int2, 1)) k(kind, count)
    group by 1, 2
  ), freed as (
    select h.lane, -count(*) filter (where h.outcome in (0, 1, 4))::int8 as deliveries,
      -coalesce(sum(h.size) filter (where h.outcome in (0, 1, 4)), 0)::int8 as bytes
    from hit h group by 1
  )
  select
    (select string_agg(h.ord || (case h.outcome when 4 then 'p' else 's' end), ',') from hit h),
    (select array_agg(h.lease) from hit h), (select array_agg(h.pos) from hit h),
    (select array_agg(source) from moved), (select array_agg(kind) from moved), (select array_agg(count) from moved),
    (select array_agg(lane) from freed), (select array_agg(deliveries) from freed), (select array_agg(bytes) from freed)
  into settled, h_lease, h_pos, x_source, x_kind, x_count, y_lane, y_deliveries, y_bytes;
  if h_lease is not null then perform mark_done(p_bucket, h_lease, h_pos); end if;
end
$fn$;
`;

export const REPLAY = `
create function replay(
  p_bucket int2, p_now int8, r_id int8[], r_place int4[], r_start int2[], r_due int8[], r_once int2[],
  out replayed text,
  out x_source int4[], out x_kind int2[], out x_count int8[], out y_lane int4[], out y_deliveries int8[], out y_bytes int8[],
  out l_id int8[], out l_place int4[], out l_lane int4[], out l_source int4[], out l_size int4[]
) language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
#variable_conflict use_column
declare
  v_is_purging boolean := exists (select 1 from deletion where not is_purged);
  v_base int8[];
begin
  select array_agg(b.base) into v_base
  from (select nextval('block') * 1024 as base from generate_series(1, (cardinality(r_id) + 1023) / 1024)) b;
  with asked as materialized (
    select r.*, v_base[(r.ord - 1) / 1024 + 1] + (r.ord - 1) % 1024 as new_id,
      r.once = 1 and row_number() over (partition by r.id, r.place order by r.ord) > 1 as is_repeated
    from unnest(r_id, r_place, r_start, r_due, r_once) with ordinality r(id, place, start, due, once, ord)
  ), old as materialized (
    select a.ord, a.new_id, a.start, a.due, a.place as old_place, e.leaf as old_leaf, e.lane, m.*
    from asked a join ended e on e.bucket = p_bucket and e.leaf in (leaf_of(a.id), -1) and e.id = a.id and e.place = a.place
    join message m on m.bucket = p_bucket and m.leaf in (leaf_of(a.id), -1) and m.id = a.id
    where m.body is not null and not (case when v_is_purging then is_covered(p_bucket, m.id) else false end)
      and not a.is_repeated and (a.once = 0 or not exists (
        select 1 from replayed r where r.bucket = p_bucket and r.leaf in (leaf_of(a.id), -1) and r.id = a.id and r.place = a.place))
  ), marked as (
    insert into replayed (bucket, leaf, id, place)
    select distinct p_bucket, o.old_leaf, o.id, o.old_place from old o on conflict do nothing
  ), stored as (
    insert into message (bucket, leaf, id, root, replay_of, replay_of_place, source, message_id, type, accepted_at, user_one, user_two,
      deletion, traceparent, size, body)
    select p_bucket, leaf_of(o.new_id), o.new_id, coalesce(o.root, o.id), o.id, o.old_place, o.source, o.message_id, o.type, p_now, o.user_one, o.user_two,
      o.deletion, o.traceparent, o.size, o.body from old o
  ), waits as (
    insert into waiting (bucket, lane, tried, due_at, id, place, source, size, rounds)
    select p_bucket, o.lane, false, o.due, o.new_id, 0, o.source, o.size, 0 from old o where o.start = 1
  ), died as (
    insert into ended (bucket, leaf, id, place, lane, source, state, reason, finished_at, attempt_count)
    select p_bucket, leaf_of(o.new_id), o.new_id, 0, o.lane, o.source, 3, 2, p_now, 0 from old o where o.start = 2
  ), counted as (
    select o.source, (case o.start when 0 then 2 when 1 then 1 else 4 end)::int2 as kind, count(*)::int8 as count from old o group by 1, 2
  ), added as (
    select o.lane, count(*)::int8 as deliveries, sum(o.size)::int8 as bytes from old o where o.start < 2 group by 1
  )
  select
    (select string_agg(coalesce(o.new_id::text, ''), ',' order by a.ord) from asked a left join old o on o.ord = a.ord),
    (select array_agg(source) from counted), (select array_agg(kind) from counted), (select array_agg(count) from counted),
    (select array_agg(lane) from added), (select array_agg(deliveries) from added), (select array_agg(bytes) from added),
    array_agg(c.new_id), array_agg(0), array_agg(c.lane), array_agg(c.source), array_agg(c.size)
  into replayed, x_source, x_kind, x_count, y_lane, y_deliveries, y_bytes, l_id, l_place, l_lane, l_source, l_size
  from old c where c.start = 0;
end
$fn$;

-- A letter for each: added, or gone.
create function append_attempts(p_bucket int2, a_id int8[], a_place int4[], a_attempts bytea[]) returns text
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
declare
  v_letters text;
  v_row record;
begin
  -- A sweep may be about to remove them: it waits, or what it has removed is gone. In the order of ids, as sweeps move them.
  for v_row in select a.id, a.place from unnest(a_id, a_place) a(id, place) order by 1, 2 loop
    perform 1 from ended e where e.bucket = p_bucket and e.leaf in (leaf_of(v_row.id), -1) and e.id = v_row.id and e.place = v_row.place
      for key share;
  end loop;
  with asked as materialized (
    select a.*, coalesce(
      (select e.leaf from ended e
        where e.bucket = p_bucket and e.leaf in (leaf_of(a.id), -1) and e.id = a.id and e.place = a.place),
      (select leaf_now(a.id)
        where exists (select 1 from waiting w where w.bucket = p_bucket and w.id = a.id and w.place = a.place)
        or exists (
          select 1 from lease l cross join lateral unnest(l.ids, l.places) with ordinality h(id, place, pos)
          where l.bucket = p_bucket and l.low <= a.id and l.high >= a.id and h.id = a.id and h.place = a.place
            and get_bit(l.done, h.pos::int4 - 1) = 0))) as leaf
    from unnest(a_id, a_place, a_attempts) with ordinality a(id, place, attempts, ord)
  ), added as (
    insert into attempt (bucket, leaf, id, place, attempt_count, attempts)
    select p_bucket, a.leaf, a.id, a.place, 1, a.attempts from asked a where a.leaf is not null
  )
  select string_agg(case when a.leaf is not null then 'a' else 'g' end, '' order by a.ord) into v_letters from asked a;
  return v_letters;
end
$fn$;
`;

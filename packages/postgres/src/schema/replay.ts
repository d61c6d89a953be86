// The parts of a commit that replay finished deliveries, and add late attempts.

export const REPLAY = `
create function replay(
  p_bucket int2, p_now int8, r_id int8[], r_place int4[], r_start int2[], r_due int8[],
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
    select r.*, v_base[(r.ord - 1) / 1024 + 1] + (r.ord - 1) % 1024 as new_id
    from unnest(r_id, r_place, r_start, r_due) with ordinality r(id, place, start, due, ord)
  ), old as materialized (
    select a.ord, a.new_id, a.start, a.due, a.place as old_place, e.leaf as old_leaf, e.lane, m.*
    from asked a join ended e on e.bucket = p_bucket and e.leaf in (leaf_of(a.id), -1) and e.id = a.id and e.place = a.place
    join message m on m.bucket = p_bucket and m.leaf in (leaf_of(a.id), -1) and m.id = a.id
    where m.body is not null and not (case when v_is_purging then is_covered(p_bucket, m.id) else false end)
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
          where l.bucket = p_bucket and l.ids @> array[a.id] and h.id = a.id and h.place = a.place
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

// The commit, as one function: one round trip, and all of it or nothing. Locks are taken in one order: the barrier, message ids, leases,
// requests. The part that stores messages decides which of them are new, their rows, and their counts.

export const COMMIT = `
-- m: messages; d: their deliveries; s: settlements; r: replays; a: late attempts; t: the tally; n: progress of notices; x: changes of
-- counters; y: those of lanes; l: what is stored as claimed.
create function commit(
  p_bucket int2, p_now int8, p_token uuid, p_process bytea, p_lease_ms int8,
  m_key uuid[], m_source int4[], m_message_id bytea[], m_type int2[], m_received int8[], m_size int4[], m_body bytea[],
  m_traceparent bytea[], m_user uuid[], m_other uuid[], m_deliveries int4[], m_filtered int4[], m_as_of int8[], m_deletion uuid[],
  d_message int4[], d_place int4[], d_lane int4[], d_start int2[], d_due int8[],
  s_id int8[], s_place int4[], s_token uuid[], s_outcome int2[], s_due int8[], s_reason int2[],
  s_first int8[], s_detail bytea[], s_count int4[], s_attempts bytea[], s_endpoints bytea[], s_excerpts bytea[],
  s_lease int8[], s_pos int4[], s_lane int4[], s_source int4[], s_size int4[],
  r_id int8[], r_place int4[], r_start int2[], r_due int8[], r_once int2[],
  a_id int8[], a_place int4[], a_attempts bytea[],
  t_source int4[], t_kind int2[], t_count int8[],
  n_deletion uuid[], n_users int4[]
) returns table (kinds text, ids text, leases text, settled text, replayed text, appended text)
language plpgsql volatile
set search_path from current
as $fn$
#variable_conflict use_column
declare
  v_now int8;
  v_accepted record;
  v_settled record;
  v_replayed record;
  x_source int4[] := t_source; x_kind int2[] := t_kind; x_count int8[] := t_count;
  y_lane int4[] := '{}'; y_deliveries int8[] := '{}'; y_bytes int8[] := '{}';
  l_id int8[] := '{}'; l_place int4[] := '{}'; l_lane int4[] := '{}'; l_source int4[] := '{}'; l_size int4[] := '{}';
begin
  -- A replay looks at what others may be about to settle.
  if cardinality(r_id) > 0 then perform enter_alone(); else perform enter_shared(); end if;
  -- After all that may take long, since claims count on it that this transaction is short from here on.
  v_now := coalesce(p_now, clock_ms());
  kinds := ''; ids := ''; leases := ''; settled := ''; replayed := ''; appended := '';

  if cardinality(m_key) > 0 then
    select * into v_accepted from accept(
      p_bucket, v_now, m_key, m_source, m_message_id, m_type, m_received, m_size, m_body, m_traceparent, m_user,
      m_other, m_deliveries, m_filtered, m_as_of, m_deletion, d_message, d_place, d_lane, d_start, d_due);
    kinds := array_to_string(v_accepted.kinds, '');
    ids := array_to_string(v_accepted.ids, ',');
    x_source := x_source || v_accepted.x_source; x_kind := x_kind || v_accepted.x_kind; x_count := x_count || v_accepted.x_count;
    y_lane := y_lane || v_accepted.y_lane; y_deliveries := y_deliveries || v_accepted.y_deliveries; y_bytes := y_bytes || v_accepted.y_bytes;
    l_id := l_id || v_accepted.l_id; l_place := l_place || v_accepted.l_place; l_lane := l_lane || v_accepted.l_lane;
    l_source := l_source || v_accepted.l_source; l_size := l_size || v_accepted.l_size;
  end if;

  if cardinality(s_id) > 0 then
    select * into v_settled from settle(
      p_bucket, v_now, s_id, s_place, s_token, s_outcome, s_due, s_reason, s_first, s_detail, s_count, s_attempts, s_endpoints, s_excerpts,
      s_lease, s_pos, s_lane, s_source, s_size);
    settled := coalesce(v_settled.settled, '');
    x_source := x_source || v_settled.x_source; x_kind := x_kind || v_settled.x_kind; x_count := x_count || v_settled.x_count;
    y_lane := y_lane || v_settled.y_lane; y_deliveries := y_deliveries || v_settled.y_deliveries; y_bytes := y_bytes || v_settled.y_bytes;
  end if;

  if cardinality(r_id) > 0 then
    select * into v_replayed from replay(p_bucket, v_now, r_id, r_place, r_start, r_due, r_once);
    replayed := v_replayed.replayed;
    x_source := x_source || v_replayed.x_source; x_kind := x_kind || v_replayed.x_kind; x_count := x_count || v_replayed.x_count;
    y_lane := y_lane || v_replayed.y_lane; y_deliveries := y_deliveries || v_replayed.y_deliveries; y_bytes := y_bytes || v_replayed.y_bytes;
    l_id := l_id || v_replayed.l_id; l_place := l_place || v_replayed.l_place; l_lane := l_lane || v_replayed.l_lane;
    l_source := l_source || v_replayed.l_source; l_size := l_size || v_replayed.l_size;
  end if;
  if cardinality(a_id) > 0 then appended := append_attempts(p_bucket, a_id, a_place, a_attempts); end if;

  perform note_early(p_bucket, v_now, array_remove(d_due || s_due || r_due, null));
  if cardinality(l_id) > 0 and cardinality(r_id) = 0 and l_lane = array_fill(l_lane[1], array[cardinality(l_lane)]) then
    -- What was accepted has ascending ids.
    insert into lease (bucket, token, process, lane, until, open, done, low, high, ids, places, sources, sizes)
    values (p_bucket, p_token, p_process, l_lane[1], v_now + p_lease_ms, cardinality(l_id), repeat('0', cardinality(l_id))::varbit, l_id[1],
      l_id[cardinality(l_id)], l_id, l_place, l_source, l_size)
    returning l_lane[1] || ':' || id || ':' || open into leases;
  elsif cardinality(l_id) > 0 then
    with made as (
      insert into lease (bucket, token, process, lane, until, open, done, low, high, ids, places, sources, sizes)
      select p_bucket, p_token, p_process, u.lane, v_now + p_lease_ms, count(*), repeat('0', count(*)::int4)::varbit, min(u.id), max(u.id),
        array_agg(u.id), array_agg(u.place), array_agg(u.source), array_agg(u.size)
      from (
        select * from unnest(l_id, l_place, l_lane, l_source, l_size) with ordinality u(id, place, lane, source, size, ord) order by lane, ord
      ) u group by u.lane
      returning lane, id, open
    )
    select string_agg(m.lane || ':' || m.id || ':' || m.open, ',') into leases from made m;
  end if;
  for i in 1 .. cardinality(n_deletion) loop
    update deletion set notified = greatest(notified, least(n_users[i], users)) where key = n_deletion[i];
  end loop;
  perform add_delta(p_bucket, x_source, x_kind, x_count, y_lane, y_deliveries, y_bytes);
  return next;
end
$fn$;
`;

export const ACCEPT = `
-- Lists are joined with lists alone here, by their hash: of lists it is not known how long they are.
create function accept(
  p_bucket int2, p_now int8,
  m_key uuid[], m_source int4[], m_message_id bytea[], m_type int2[], m_received int8[], m_size int4[], m_body bytea[],
  m_traceparent bytea[], m_user uuid[], m_other uuid[], m_deliveries int4[], m_filtered int4[], m_as_of int8[], m_deletion uuid[],
  d_message int4[], d_place int4[], d_lane int4[], d_start int2[], d_due int8[],
  out kinds int2[], out ids int8[],
  out x_source int4[], out x_kind int2[], out x_count int8[], out y_lane int4[], out y_deliveries int8[], out y_bytes int8[],
  out l_id int8[], out l_place int4[], out l_lane int4[], out l_source int4[], out l_size int4[]
) language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_nestloop = off set enable_mergejoin = off set jit = off
as $fn$
#variable_conflict use_variable
declare
  v_messages int4 := cardinality(m_key);
  v_requests int4 := (select max(number) from deletion);
  v_bases int8[];
  v_stored int4[];
  v_place int4;
  v_fresh uuid[];
  v_leaf int2;
  v_earlier int2[];
begin
  kinds := array_fill(0::int2, array[v_messages]);
  ids := array_fill(0::int8, array[v_messages]);
  if v_requests is not null then
    foreach v_place in array suppressed_of(m_user, m_other) loop kinds[v_place] := 2; end loop;
    for v_place in select m.ord::int4 from unnest(m_as_of) with ordinality m(as_of, ord) where m.as_of >= 0 and m.as_of < v_requests
    loop kinds[v_place] := 3; end loop;
  end if;

  -- What the leaf before this one remembers; and the one before that only for an hour, or if the clock was set back.
  select r.seen_leaf, case when p_now < r.third_until then array[r.seen_leaf + 2, r.seen_leaf + 1] else array[r.seen_leaf + 2] end
  into v_leaf, v_earlier from ring r;
  foreach v_place in array v_earlier loop
    foreach v_place in array remembered_of(p_bucket, p_now, (v_place % 3)::int2, m_key) loop
      if kinds[v_place] = 0 then kinds[v_place] := 1; end if;
    end loop;
  end loop;

  -- Keys in one order, so that two commits never wait for each other.
  with fresh as (
    insert into seen as known (bucket, leaf, key, source, seen_at, deliveries)
    select distinct on (m.key) p_bucket, v_leaf, m.key, m.source, p_now, m.deliveries
    from unnest(m_key, m_source, m_deliveries) with ordinality m(key, source, deliveries, ord)
    where kinds[m.ord] = 0 order by m.key, m.ord
    on conflict (bucket, key, leaf) do update set seen_at = excluded.seen_at, deliveries = excluded.deliveries
      where p_now - known.seen_at >= 86400000
    returning known.key
  )
  select coalesce(array_agg(f.key), '{}') into v_fresh from fresh f;
  -- Which of them are new is looked up only if not all are; of several with one key, it is the first.
  if cardinality(v_fresh) = v_messages then
    v_stored := array(select generate_series(1, v_messages));
  else
    v_stored := array(
      select min(m.ord)::int4 from unnest(v_fresh) f(key) join unnest(m_key) with ordinality m(key, ord) on m.key = f.key
      where kinds[m.ord] = 0 group by f.key order by 1);
  end if;

  -- Numbers are taken after all waiting for others, so that what is stored later has higher ones.
  select coalesce(array_agg(b.base), '{}') into v_bases
  from (select nextval('block') * 1024 as base from generate_series(1, (cardinality(v_stored) + 1023) / 1024)) b;
  if cardinality(v_stored) = v_messages then
    select array_agg(v_bases[(g - 1) / 1024 + 1] + (g - 1) % 1024 order by g) into ids from generate_series(1, v_messages) g;
  else
    for g in 1 .. v_messages loop if kinds[g] = 0 then kinds[g] := 1; end if; end loop;
    for g in 1 .. cardinality(v_stored) loop
      kinds[v_stored[g]] := 0;
      ids[v_stored[g]] := v_bases[(g - 1) / 1024 + 1] + (g - 1) % 1024;
    end loop;
  end if;

  insert into message
    (bucket, leaf, id, source, message_id, type, accepted_at, user_one, user_two, deletion, traceparent, size, body)
  select p_bucket, leaf_of(ids[m.ord]), ids[m.ord], m.source, m.message_id, m.type, m.received, m.one, m.two, m.deletion, m.traceparent, m.size, m.body
  from unnest(m_source, m_message_id, m_type, m_received, m_user, m_other, m_deletion, m_traceparent, m_size, m_body, m_deliveries)
    with ordinality m(source, message_id, type, received, one, two, deletion, traceparent, size, body, deliveries, ord)
  where ids[m.ord] > 0 and m.deliveries > 0;

  if 1 = any (d_start) then
    insert into waiting (bucket, lane, tried, due_at, id, place, source, size, rounds)
    select p_bucket, d.lane, false, d.due, ids[d.message], d.place, m_source[d.message], m_size[d.message], 0
    from unnest(d_message, d_place, d_lane, d_start, d_due) d(message, place, lane, start, due)
    where d.start = 1 and ids[d.message] > 0;
  end if;
  if 2 = any (d_start) then
    insert into ended (bucket, leaf, id, place, lane, source, state, reason, finished_at, attempt_count)
    select p_bucket, leaf_of(ids[d.message]), ids[d.message], d.place, d.lane, m_source[d.message], 3, 2, p_now, 0
    from unnest(d_message, d_place, d_lane, d_start) d(message, place, lane, start)
    where d.start = 2 and ids[d.message] > 0;
  end if;

  select array_agg(ids[d.message]), array_agg(d.place), array_agg(d.lane), array_agg(m_source[d.message]), array_agg(m_size[d.message])
  into l_id, l_place, l_lane, l_source, l_size
  from unnest(d_message, d_place, d_lane, d_start) d(message, place, lane, start)
  where d.start = 0 and ids[d.message] > 0;

  select array_agg(g.source), array_agg(g.kind), array_agg(g.count) into x_source, x_kind, x_count from (
    select m_source[d.message] as source, (case d.start when 0 then 2 when 1 then 1 else 4 end)::int2 as kind, count(*)::int8 as count
    from unnest(d_message, d_start) d(message, start) where ids[d.message] > 0 group by 1, 2
    union all
    select m.source, 0::int2, sum(m.filtered)::int8 from unnest(m_source, m_filtered) with ordinality m(source, filtered, ord)
    where ids[m.ord] > 0 group by 1 having sum(m.filtered) > 0
    union all
    select m.source, (case kinds[m.ord] when 0 then 5 when 1 then 7 else 8 end)::int2, count(*)::int8
    from unnest(m_source, m_deletion) with ordinality m(source, deletion, ord)
    where kinds[m.ord] in (1, 2) or kinds[m.ord] = 0 and m.deletion is null group by 1, 2
  ) g;
  select array_agg(g.lane), array_agg(g.deliveries), array_agg(g.bytes) into y_lane, y_deliveries, y_bytes from (
    select d.lane, count(*)::int8 as deliveries, sum(m_size[d.message])::int8 as bytes
    from unnest(d_message, d_lane, d_start) d(message, lane, start)
    where d.start < 2 and ids[d.message] > 0 group by 1
  ) g;
end
$fn$;
`;

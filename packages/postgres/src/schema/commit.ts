// The commit, as one function: one round trip, and all of it or nothing. Locks are taken in one order: the barrier, message ids,
// leases, requests.

export const COMMIT = `
create function has_delivery(p_bucket int2, p_id int8, p_place int4) returns boolean language sql stable set search_path from current as $fn$
  select exists (select 1 from ended where bucket = p_bucket and id = p_id and place = p_place)
    or exists (select 1 from waiting where bucket = p_bucket and id = p_id and place = p_place)
    or exists (
      select 1 from lease l cross join lateral unnest(l.ids, l.places) with ordinality e(id, place, pos)
      where l.bucket = p_bucket and l.ids @> array[p_id] and e.id = p_id and e.place = p_place and get_bit(l.done, e.pos::int4 - 1) = 0)
$fn$;

create function commit(
  p_bucket int2, p_now int8, p_token uuid, p_lease_ms int8,
  m_key uuid[], m_source int4[], m_message_id bytea[], m_type int2[], m_received int8[], m_size int4[], m_body bytea[],
  m_deliveries int4[], m_filtered int4[], m_as_of int8[], m_traceparent bytea[], m_deletion uuid[], m_user uuid[], m_other uuid[],
  d_message int4[], d_place int4[], d_lane int4[], d_start int2[], d_due int8[],
  s_id int8[], s_place int4[], s_token uuid[], s_outcome int2[], s_due int8[], s_detail bytea[], s_reason int2[],
  s_first int8[], s_count int4[], s_attempts bytea[], s_endpoints bytea[], s_excerpts bytea[],
  r_id int8[], r_place int4[], r_start int2[], r_due int8[],
  a_id int8[], a_place int4[], a_attempts bytea[],
  t_source int4[], t_kind int2[], t_count int8[],
  n_deletion uuid[], n_users int4[]
) returns table (kinds text, ids text, settled text, replayed text, appended text)
language plpgsql volatile
set search_path from current
as $fn$
#variable_conflict use_column
declare
  v_now int8 := coalesce(p_now, clock_ms());
  v_accepted record;
  v_settled record;
  v_old record;
  v_new int8;
  v_is_appended boolean;
  x_source int4[] := t_source; x_kind int2[] := t_kind; x_count int8[] := t_count;
  y_lane int4[] := '{}'; y_deliveries int8[] := '{}'; y_bytes int8[] := '{}';
  l_id int8[] := '{}'; l_place int4[] := '{}'; l_lane int4[] := '{}'; l_source int4[] := '{}'; l_size int4[] := '{}';
begin
  perform enter_shared();
  kinds := ''; ids := ''; settled := ''; replayed := ''; appended := '';

  if cardinality(m_key) > 0 then
    select * into v_accepted from accept(
      p_bucket, v_now, m_key, m_source, m_message_id, m_type, m_received, m_size, m_body, m_deliveries, m_filtered, m_as_of,
      m_traceparent, m_deletion, m_user, m_other, d_message, d_place, d_lane, d_start, d_due);
    kinds := array_to_string(v_accepted.kinds, '');
    ids := array_to_string(v_accepted.ids, ',');
    x_source := x_source || v_accepted.x_source; x_kind := x_kind || v_accepted.x_kind; x_count := x_count || v_accepted.x_count;
    y_lane := y_lane || v_accepted.y_lane; y_deliveries := y_deliveries || v_accepted.y_deliveries; y_bytes := y_bytes || v_accepted.y_bytes;
    l_id := l_id || v_accepted.l_id; l_place := l_place || v_accepted.l_place; l_lane := l_lane || v_accepted.l_lane;
    l_source := l_source || v_accepted.l_source; l_size := l_size || v_accepted.l_size;
  end if;

  if cardinality(s_id) > 0 then
    select * into v_settled from settle(
      p_bucket, v_now, s_id, s_place, s_token, s_outcome, s_due, s_detail, s_reason, s_first, s_count, s_attempts, s_endpoints, s_excerpts);
    settled := coalesce(v_settled.settled, '');
    x_source := x_source || v_settled.x_source; x_kind := x_kind || v_settled.x_kind; x_count := x_count || v_settled.x_count;
    y_lane := y_lane || v_settled.y_lane; y_deliveries := y_deliveries || v_settled.y_deliveries; y_bytes := y_bytes || v_settled.y_bytes;
  end if;

  for i in 1 .. cardinality(r_id) loop
    select m.*, e.lane as lane into v_old from ended e join message m on m.bucket = e.bucket and m.id = e.id
    where e.bucket = p_bucket and e.id = r_id[i] and e.place = r_place[i] and m.body is not null and not is_covered(p_bucket, m.id);
    if not found then replayed := replayed || ','; continue; end if;
    v_new := nextval('block') * 1024;
    replayed := replayed || v_new || ',';
    insert into replayed (bucket, id, place) values (p_bucket, r_id[i], r_place[i]) on conflict do nothing;
    insert into message (bucket, id, root, replay_of, replay_of_place, source, message_id, type, accepted_at, user_one, user_two,
      deletion, traceparent, size, body)
    values (p_bucket, v_new, coalesce(v_old.root, v_old.id), r_id[i], r_place[i], v_old.source, v_old.message_id, v_old.type, v_now,
      v_old.user_one, v_old.user_two, v_old.deletion, v_old.traceparent, v_old.size, v_old.body);
    x_source := x_source || v_old.source; x_count := x_count || 1::int8;
    x_kind := x_kind || (case r_start[i] when 0 then 2 when 1 then 1 else 4 end)::int2;
    if r_start[i] = 0 then
      l_id := l_id || v_new; l_place := l_place || 0; l_lane := l_lane || v_old.lane;
      l_source := l_source || v_old.source; l_size := l_size || v_old.size;
    elsif r_start[i] = 1 then
      insert into waiting (bucket, lane, tried, due_at, id, place, source, size, rounds)
      values (p_bucket, v_old.lane, false, r_due[i], v_new, 0, v_old.source, v_old.size, 0);
    else
      insert into ended (bucket, id, place, lane, source, state, reason, finished_at, attempt_count)
      values (p_bucket, v_new, 0, v_old.lane, v_old.source, 3, 2, v_now, 0);
    end if;
    if r_start[i] < 2 then
      y_lane := y_lane || v_old.lane; y_deliveries := y_deliveries || 1::int8; y_bytes := y_bytes || v_old.size::int8;
    end if;
  end loop;

  for i in 1 .. cardinality(a_id) loop
    v_is_appended := has_delivery(p_bucket, a_id[i], a_place[i]);
    appended := appended || (case when v_is_appended then 'a' else 'g' end);
    if v_is_appended then
      insert into attempt (bucket, id, place, attempt_count, attempts) values (p_bucket, a_id[i], a_place[i], 1, a_attempts[i]);
    end if;
  end loop;

  if cardinality(l_id) > 0 then
    insert into lease (bucket, token, until, open, done, lane_set, ids, places, lanes, sources, sizes)
    values (p_bucket, p_token, v_now + p_lease_ms, cardinality(l_id), repeat('0', cardinality(l_id))::varbit,
      (select array_agg(distinct u) from unnest(l_lane) u), l_id, l_place, l_lane, l_source, l_size);
  end if;
  for i in 1 .. cardinality(n_deletion) loop
    update deletion set notified = greatest(notified, least(n_users[i], users)) where key = n_deletion[i];
  end loop;
  perform add_delta(p_bucket, x_source, x_kind, x_count, y_lane, y_deliveries, y_bytes);
  return next;
end
$fn$;
`;

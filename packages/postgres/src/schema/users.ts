// Requests about users. Each step is alone on the storage: no commit is under way when a request is opened, so that none is missed.

export const DELETE_USERS = `
create function open_deletion(
  p_bucket int2, p_now int8, p_key uuid, p_name bytea, p_regulation int2, p_sources int4[], p_covers_all boolean, p_purges boolean,
  p_notifies boolean, p_suppression int4, p_user_keys uuid[], p_user_names bytea[]
) returns void language plpgsql volatile set search_path from current as $fn$
declare v_number int4; v_mark int8;
begin
  perform enter_alone();
  if exists (select 1 from deletion where key = p_key) then return; end if;
  v_number := coalesce((select max(number) from deletion), 0) + 1;
  v_mark := nextval('block') * 1024;
  insert into deletion (number, key, name, regulation, sources, covers_all, requested_at, users, up_to, looked_at, is_purged, is_notifying)
  values (v_number, p_key, p_name, p_regulation, p_sources, p_covers_all, coalesce(p_now, clock_ms()), cardinality(p_user_keys),
    v_mark, v_mark, not p_purges, p_notifies);
  insert into deletion_user (number, place, user_key, name)
  select v_number, u.place, u.key, u.name from unnest(p_user_keys, p_user_names) with ordinality u(key, name, place);
  if p_suppression > 0 then
    insert into suppressed (user_key, name) select u.key, u.name from unnest(p_user_keys, p_user_names) u(key, name) on conflict do nothing;
  elsif p_suppression < 0 then
    delete from suppressed s using unnest(p_user_keys) u(key) where s.user_key = u.key;
  end if;
end
$fn$;

create function purge_message(p_bucket int2, p_now int8, p_id int8) returns int4 language plpgsql volatile
set search_path from current as $fn$
#variable_conflict use_column
declare
  v_row record;
  v_count int4 := 0;
begin
  for v_row in select * from lease l where l.bucket = p_bucket and l.low <= p_id and l.high >= p_id loop
    for i in 1 .. cardinality(v_row.ids) loop
      if v_row.ids[i] = p_id and get_bit(v_row.done, i - 1) = 0 then
        perform add_delta(p_bucket, '{}', '{}', '{}', array[v_row.lane], array[0]::int8[], array[-greatest(v_row.sizes[i], 0)]::int8[]);
        update lease set is_purged = true, sizes[i] = -1 where bucket = p_bucket and id = v_row.id;
        if v_row.excerpts is not null then update lease set excerpts[i] = null where bucket = p_bucket and id = v_row.id; end if;
        v_count := v_count + 1;
      end if;
    end loop;
  end loop;
  for v_row in delete from waiting w where w.bucket = p_bucket and w.id = p_id returning w.* loop
    insert into ended (bucket, leaf, id, place, lane, source, state, reason, finished_at, detail, attempt_count, endpoints)
    values (p_bucket, leaf_now(p_id), p_id, v_row.place, v_row.lane, v_row.source, 3, 3, p_now, v_row.detail, 0, v_row.endpoints);
    perform add_delta(p_bucket, array[v_row.source, v_row.source], array[1, 4]::int2[], array[-1, 1]::int8[],
      array[v_row.lane], array[-1]::int8[], array[-v_row.size]::int8[]);
  end loop;
  update ended set reason = case when state = 3 then 3 else reason end, excerpts = null
  where bucket = p_bucket and leaf in (leaf_of(p_id), -1) and id = p_id;
  v_count := v_count + (select count(*) from ended where bucket = p_bucket and leaf in (leaf_of(p_id), -1) and id = p_id);
  update message set body = null, user_one = null, user_two = null
  where bucket = p_bucket and leaf in (leaf_of(p_id), -1) and id = p_id;
  return v_count;
end
$fn$;

create function purge(p_bucket int2, p_now int8, p_key uuid, p_limit int4) returns boolean language plpgsql volatile
set search_path from current as $fn$
#variable_conflict use_column
declare
  v_now int8 := coalesce(p_now, clock_ms());
  v_request deletion;
  v_row record;
  v_seen int4 := 0;
  v_last int8;
  v_purged int4 := 0;
  v_member int8;
begin
  perform enter_alone();
  select * into v_request from deletion where key = p_key;
  if not found or v_request.is_purged then return true; end if;
  v_last := v_request.looked_at;
  for v_row in
    select m.id from message m where m.bucket = p_bucket and m.id < v_request.looked_at order by m.id desc limit p_limit + 1
  loop
    v_seen := v_seen + 1;
    exit when v_seen > p_limit;
    v_last := v_row.id;
    if covers(p_bucket, v_row.id, v_request.number) then
      for v_member in
        select f.id from message m join message f on f.bucket = p_bucket
          and (f.id = coalesce(m.root, m.id) or f.root = coalesce(m.root, m.id))
        where m.bucket = p_bucket and m.leaf in (leaf_of(v_row.id), -1) and m.id = v_row.id and f.body is not null
      loop
        v_purged := v_purged + purge_message(p_bucket, v_now, v_member);
      end loop;
    end if;
  end loop;
  update deletion set purged = purged + v_purged, looked_at = v_last, is_purged = v_seen <= p_limit where number = v_request.number;
  return v_seen <= p_limit;
end
$fn$;

create function covers(p_bucket int2, p_id int8, p_number int4) returns boolean language plpgsql stable
set search_path from current set jit = off set enable_seqscan = off set enable_hashjoin = off
as $fn$ begin
  return exists (
    select 1 from message m
    join deletion d on d.number = p_number
    join deletion_user u on u.number = d.number and u.user_key = any (array[m.user_one, m.user_two])
    join source s on s.id = m.source
    where m.bucket = p_bucket and m.leaf in (leaf_of(p_id), -1) and m.id = p_id and m.id <= d.up_to
      and (d.covers_all or s.is_audience or m.source = any (d.sources)));
end $fn$;

create function finish_deletion(p_now int8, p_key uuid) returns boolean language plpgsql volatile set search_path from current as $fn$
declare v_request deletion;
begin
  perform enter_alone();
  select * into v_request from deletion where key = p_key;
  if not found or not v_request.is_purged or (v_request.is_notifying and v_request.notified < v_request.users) then return false; end if;
  update deletion set finished_at = coalesce(finished_at, p_now, clock_ms()) where key = p_key;
  delete from deletion_user where number = v_request.number;
  return true;
end
$fn$;
`;

// The leaves of the tables that grow with the calls. A leaf is a partition of `message`, `ended`, `attempt`, `replayed` and `lapse`, and
// holds the messages whose ids are in one range. Leaves are written to in turn, and emptied by TRUNCATE, so that nothing is deleted row
// by row. Rows that have to stay longer than their leaf are moved to the leaf of kept rows first (decision: leaves).

/** The number of leaves that are written to in turn. */
export const LEAVES: string = "8";

/** The number of leaves that remember message ids: that of today, that of yesterday, and one for a clock that is set back. */
export const SEEN_LEAVES: string = "3";

/** A leaf has 2^34 ids, which is 2^24 commits, and all ids together are less than 2^53. */
export const ID_BITS: string = "34";

/** The number of the leaf of kept rows. */
export const KEPT_LEAF: string = "-1";

export const LEAF_TABLES: string = `
do $do$
declare
  v_leaf int4;
  v_name text;
  -- Nothing is deleted here, and TRUNCATE comes before anything has to be frozen; plans are pinned.
  v_added_only text := 'with (autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 1)';
  v_options text;
begin
  for v_leaf in ${KEPT_LEAF} .. ${LEAVES} - 1 loop
    v_name := case when v_leaf < 0 then 'kept' else v_leaf::text end;
    v_options := case when v_leaf < 0 then '' else v_added_only end;
    execute format('create table message_%s partition of message for values in (%s) %s', v_name, v_leaf, v_options);
    execute format('alter table message_%s add constraint message_%1$s_id primary key (bucket, id)', v_name);
    execute format('create table ended_%s partition of ended for values in (%s) %s', v_name, v_leaf, v_options);
    execute format('alter table ended_%s add constraint ended_%1$s_delivery primary key (bucket, id, place)', v_name);
    execute format('create index ended_%s_dead on ended_%1$s (bucket, finished_at) where state = 3', v_name);
    execute format('create table attempt_%s partition of attempt for values in (%s) %s', v_name, v_leaf, v_options);
    execute format('alter table attempt_%s add constraint attempt_%1$s_delivery primary key (bucket, id, place, number)', v_name);
    execute format('create table replayed_%s partition of replayed for values in (%s) %s', v_name, v_leaf, v_options);
    execute format('alter table replayed_%s add constraint replayed_%1$s_delivery primary key (bucket, id, place)', v_name);
    execute format('create table lapse_%s partition of lapse for values in (%s) %s', v_name, v_leaf, v_options);
    execute format('alter table lapse_%s add constraint lapse_%1$s_delivery primary key (bucket, id, place, number)', v_name);
  end loop;
  for v_leaf in 0 .. ${SEEN_LEAVES} - 1 loop
    execute format('create table seen_%s partition of seen for values in (%1$s) %s', v_leaf, v_added_only);
  end loop;
end $do$;
create index ended_kept_delivered on ended_kept (bucket, finished_at) where state = 2;

create table leaf (
  number int8 primary key,
  since int8 not null
);
insert into leaf (number, since) values (0, 0);

create table ring (
  is_only boolean primary key default true check (is_only),
  retired_below int8 not null default 0,
  looked_at int8 not null default 0,
  looked_through_at int8 not null default 0,
  seen_leaf int2 not null default 0,
  seen_since int8 not null default 0,
  seen_high int8 not null default 0,
  previous_high int8 not null default 0,
  third_until int8 not null default 0
);
insert into ring default values;

-- The leaf of the rows of a message, unless they have been moved to that of kept rows.
create function leaf_of(p_id int8) returns int2 language sql immutable as $fn$ select (p_id >> ${ID_BITS} & ${LEAVES} - 1)::int2 $fn$;

-- The leaf to which a row about a message is added: nothing is added to a leaf that is retired.
create function leaf_for(p_id int8, p_retired_below int8) returns int2 language sql immutable as
  $fn$ select case when p_id < p_retired_below then ${KEPT_LEAF}::int2 else leaf_of(p_id) end $fn$;

create function leaf_now(p_id int8) returns int2 language plpgsql stable set search_path from current as
  $fn$ begin return leaf_for(p_id, (select retired_below from ring)); end $fn$;

create function is_sweepable(p_state int2, p_finished_at int8, p_delivered_before int8, p_dead_before int8) returns boolean
language sql immutable as
  $fn$ select p_state = 2 and p_finished_at < p_delivered_before or p_state = 3 and p_finished_at < p_dead_before $fn$;
`;

// Finds the messages of a commit that are not to be stored: their ids are remembered in leaves, or their users are suppressed.
export const UNSTORED_MESSAGES: string = `
-- The places of messages of which a user is suppressed.
create function suppressed_of(p_users uuid[], p_others uuid[]) returns int4[] language plpgsql stable
set search_path from current set jit = off set enable_hashjoin = off set enable_seqscan = off
as $fn$
begin
  return (
    select coalesce(array_agg(m.ord::int4), '{}') from unnest(p_users, p_others) with ordinality m(one, two, ord)
    where exists (select 1 from suppressed s where s.user_key = m.one) or exists (select 1 from suppressed s where s.user_key = m.two));
end
$fn$;

-- The places of messages whose key one of the leaves remembers.
create function remembered_of(p_bucket int2, p_now int8, p_leaf int2, p_keys uuid[]) returns int4[] language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set jit = off set enable_hashjoin = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
begin
  return (
    select coalesce(array_agg(m.ord::int4), '{}') from unnest(p_keys) with ordinality m(key, ord)
    where exists (
      select 1 from seen s where s.bucket = p_bucket and s.leaf = p_leaf and s.key = m.key and p_now - s.seen_at < 86400000));
end
$fn$;

-- Begins the next leaf of message ids, once it is empty. False: something holds it. The leaf before last is looked at for another hour,
-- and for as long as clocks were ahead when it was written to.
create function turn_seen_leaf(p_now int8, p_leaf int2) returns boolean language plpgsql volatile set search_path from current as $fn$
declare
  v_next int2 := (p_leaf + 1) % ${SEEN_LEAVES};
  v_now int8;
begin
  if exists (select 1 from seen s where s.leaf = v_next) then
    if is_read_for_long(array['seen'], v_next) then return false; end if;
    perform enter_shared();
    perform set_config('lock_timeout', '1000', true);
    execute format('truncate seen_%s', v_next);
  else
    -- Of two commits that overlap, both look into the same leaves.
    perform enter_alone();
    v_now := coalesce(p_now, clock_ms());
    update ring set seen_leaf = v_next, seen_since = v_now, seen_high = v_now,
      previous_high = greatest(seen_high, v_now), third_until = previous_high + 90000000;
  end if;
  return true;
exception when lock_not_available then return false;
end
$fn$;
`;

// The sets of audiences, whose members are in the order of UTF-16 units.
// An index holds the first bytes of a user id, since an id may be longer than what an index takes; `tail` is the rest of it. Whatever
// changes a set locks its row first.

export const AUDIENCES = `
create table member_set (
  id int4 generated always as identity primary key,
  key uuid not null unique,
  name bytea not null
);

create table member (
  member_set int4 not null,
  head bytea not null,
  tail bytea not null,
  value bytea,
  number int8 not null generated always as identity,
  primary key (member_set, head, number)
);

-- False: the set holds members that do not come before the added ones.
create function append_members(p_key uuid, p_name bytea, p_heads bytea[], p_tails bytea[], p_values bytea[]) returns boolean
language plpgsql volatile
set search_path from current
set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
declare
  v_set int4;
begin
  perform promise_durable();
  insert into member_set (key, name) values (p_key, p_name) on conflict (key) do update set name = excluded.name returning id into v_set;
  if exists (
    select 1 from member m where m.member_set = v_set and m.head >= p_heads[1] and (m.head > p_heads[1] or m.tail >= p_tails[1])
  ) then
    return false;
  end if;
  insert into member (member_set, head, tail, value)
  select v_set, u.head, u.tail, u.value from unnest(p_heads, p_tails, p_values) u(head, tail, value);
  return true;
end
$fn$;

create function read_members(p_key uuid, p_head bytea, p_tail bytea, p_limit int4) returns table (user_id bytea, value bytea)
language plpgsql stable
set search_path from current
set jit = off set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
as $fn$
#variable_conflict use_column
declare
  v_set int4 := (select s.id from member_set s where s.key = p_key);
begin
  return query
  select m.head || m.tail, m.value from member m
  where m.member_set = v_set and m.head >= p_head and (p_tail is null or m.head > p_head or m.tail > p_tail)
  order by m.head, m.tail limit p_limit;
end
$fn$;

create function erase_members(p_key uuid, p_heads bytea[], p_tails bytea[]) returns int4
language plpgsql volatile
set search_path from current
set jit = off set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
as $fn$
declare
  v_set int4;
  v_count int4;
begin
  perform promise_durable();
  select s.id into v_set from member_set s where s.key = p_key for update;
  delete from member m using unnest(p_heads, p_tails) u(head, tail)
  where m.member_set = v_set and m.head = u.head and m.tail = u.tail;
  get diagnostics v_count = row_count;
  if v_count > 0 and not exists (select 1 from member m where m.member_set = v_set) then
    delete from member_set s where s.id = v_set;
  end if;
  return v_count;
end
$fn$;

-- Removes the last members first, so that the rest can still be read in order. True once there is none.
create function drop_members(p_key uuid, p_limit int4) returns boolean
language plpgsql volatile
set search_path from current
set jit = off set enable_seqscan = off set enable_hashjoin = off
as $fn$
declare
  v_set int4;
  v_count int4;
begin
  perform promise_durable();
  select s.id into v_set from member_set s where s.key = p_key for update;
  if not found then return true; end if;
  delete from member where ctid = any (array(
    select m.ctid from member m where m.member_set = v_set order by m.head desc, m.tail desc limit p_limit));
  get diagnostics v_count = row_count;
  if v_count = p_limit then return false; end if;
  delete from member_set s where s.id = v_set;
  return true;
end
$fn$;
`;

// What of a retired leaf is kept.

import { ID_BITS, KEPT } from "./leaf-tables.js";

export const LOOK_THROUGH_LEAF: string = `
-- Looks at some messages of a retired leaf, and moves what is not to be swept: deliveries that finished later, and whatever belongs to
-- those that have not finished. Answers how many deliveries are to be swept.
create function look_through_leaf(p_bucket int2, p_leaf int8, p_delivered_before int8, p_dead_before int8, p_limit int4)
returns int8 language plpgsql volatile set search_path from current
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_bitmapscan = off set enable_mergejoin = off
set enable_material = off
as $fn$
#variable_conflict use_column
declare
  v_leaf int2 := leaf_of(p_leaf << ${ID_BITS});
  v_end int8 := p_leaf + 1 << ${ID_BITS};
  v_from int8 := (select r.looked_at from ring r);
  v_to int8;
  v_looked int4;
  v_kept int8[];
  v_swept int8;
  v_notice record;
begin
  select max(s.id), count(*) into v_to, v_looked from (
    select m.id from message m where m.bucket = p_bucket and m.leaf = v_leaf and m.id > v_from and m.id < v_end order by m.id limit p_limit
  ) s;
  if v_looked < p_limit then v_to := v_end; end if;

  -- By one statement, so that what is claimed or finished meanwhile is seen in one place or the other.
  select array_agg(distinct u.id) filter (where not u.is_swept), count(*) filter (where u.is_swept) into v_kept, v_swept from (
    select e.id, e.leaf = v_leaf and is_sweepable(e.state, e.finished_at, p_delivered_before, p_dead_before) as is_swept
    from ended e where e.bucket = p_bucket and e.leaf in (v_leaf, ${KEPT}) and e.id > v_from and e.id <= v_to
    union all
    select w.id, false from waiting w where w.bucket = p_bucket and w.id > v_from and w.id <= v_to
    union all
    select e.id, false from lease l cross join lateral unnest(l.ids) with ordinality e(id, pos)
    where l.bucket = p_bucket and e.id > v_from and e.id <= v_to and get_bit(l.done, e.pos::int4 - 1) = 0
  ) u;
  if v_kept is not null then perform keep_messages(p_bucket, v_leaf, v_from, v_to, v_kept, p_delivered_before, p_dead_before); end if;

  -- What counts notices is asked for by request, and adds to what is swept what is there: so these go at once.
  for v_notice in
    select m.id from message m
    where m.bucket = p_bucket and m.leaf in (v_leaf, ${KEPT}) and m.id > v_from and m.id <= v_to and m.deletion is not null
  loop
    perform sweep_row(p_bucket, e.leaf, e.id, e.place, e.state) from ended e
    where e.bucket = p_bucket and e.leaf = v_leaf and e.id = v_notice.id;
  end loop;
  -- What is left of a message that is kept must not hold it, once what it is kept for is swept.
  if v_kept is not null then
    delete from ended e where e.bucket = p_bucket and e.leaf = v_leaf and e.id > v_from and e.id <= v_to and e.id = any (v_kept);
  end if;
  update ring set looked_at = v_to;
  return v_swept;
end
$fn$;

-- Moves messages, with all of their deliveries but those that are to be swept. A row is removed and added again: a commit that waits
-- for it finds that it is gone, and looks again.
create function keep_messages(
  p_bucket int2, p_leaf int2, p_from int8, p_to int8, p_ids int8[], p_delivered_before int8, p_dead_before int8
) returns void language plpgsql volatile set search_path from current
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_bitmapscan = off set enable_mergejoin = off
set enable_material = off
as $fn$
#variable_conflict use_column
begin
  with gone as (
    delete from message m where m.bucket = p_bucket and m.leaf = p_leaf and m.id > p_from and m.id <= p_to and m.id = any (p_ids) returning m.*
  )
  insert into message
  select g.bucket, ${KEPT}, g.id, g.root, g.replay_of, g.replay_of_place, g.source, g.message_id, g.type, g.accepted_at, g.user_one,
    g.user_two, g.deletion, g.traceparent, g.size, g.body
  from gone g;
  with gone as (
    delete from ended e where e.bucket = p_bucket and e.leaf = p_leaf and e.id > p_from and e.id <= p_to and e.id = any (p_ids)
      and not is_sweepable(e.state, e.finished_at, p_delivered_before, p_dead_before)
    returning e.*
  )
  insert into ended
  select g.bucket, ${KEPT}, g.id, g.place, g.lane, g.source, g.state, g.reason, g.finished_at, g.detail, g.attempt_count, g.attempts,
    g.endpoints, g.excerpts
  from gone g;
  -- What is left in the leaf of these messages is to be swept.
  with gone as (
    delete from attempt a where a.bucket = p_bucket and a.leaf = p_leaf and a.id > p_from and a.id <= p_to and a.id = any (p_ids)
      and not exists (select 1 from ended e where e.bucket = p_bucket and e.leaf = p_leaf and e.id = a.id and e.place = a.place)
    returning a.*
  )
  insert into attempt select g.bucket, ${KEPT}, g.id, g.place, g.attempt_count, g.attempts from gone g;
  with gone as (
    delete from replayed a where a.bucket = p_bucket and a.leaf = p_leaf and a.id > p_from and a.id <= p_to and a.id = any (p_ids)
      and not exists (select 1 from ended e where e.bucket = p_bucket and e.leaf = p_leaf and e.id = a.id and e.place = a.place)
    returning a.*
  )
  insert into replayed select g.bucket, ${KEPT}, g.id, g.place from gone g;
  with gone as (
    delete from lapse a where a.bucket = p_bucket and a.leaf = p_leaf and a.id > p_from and a.id <= p_to and a.id = any (p_ids)
      and not exists (select 1 from ended e where e.bucket = p_bucket and e.leaf = p_leaf and e.id = a.id and e.place = a.place)
    returning a.*
  )
  insert into lapse
  select g.bucket, ${KEPT}, g.id, g.place, g.count, g.process, g.lease_until, g.taken_at, g.taken_by from gone g;
end
$fn$;
`;

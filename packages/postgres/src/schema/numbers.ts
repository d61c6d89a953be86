// Brings the sequences up to the rows. A copy that is made row by row, as by logical replication, leaves them where they began: new
// messages would then get the numbers of stored ones.

/** Everything is in one part of the tables until they are spread over nodes. */
export const BUCKET = 0;

export const ALIGN_NUMBERS = `
create function align_numbers(p_bucket int2) returns void language plpgsql volatile set search_path from current as $fn$
declare
  v_numbered record;
  v_highest int8;
  v_next int8;
begin
  for v_numbered in
    select n.*, coalesce(pg_get_serial_sequence(n.name, n.number), 'block') as sequence from (values
      ('message', 'id', true), ('source', 'id', false), ('lane', 'id', false), ('lease', 'id', true), ('outbox', 'id', true),
      ('delta', 'number', true), ('member_set', 'id', false)) n(name, number, has_bucket)
  loop
    execute format('select max(%s) from %s', v_numbered.number, v_numbered.name)
      || case when v_numbered.has_bucket then ' where bucket = ' || p_bucket else '' end into v_highest;
    -- A commit takes one number for its messages, and counts from there.
    if v_numbered.name = 'message' then v_highest := v_highest / 1024; end if;
    execute format('select last_value + is_called::int4 from %s', v_numbered.sequence) into v_next;
    if v_highest >= v_next then
      perform enter_alone();
      perform setval(v_numbered.sequence, v_highest);
    end if;
  end loop;
end
$fn$;
`;

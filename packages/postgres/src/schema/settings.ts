// What servers share beside deliveries: their settings.

export const PUT_SHARED_SETTINGS = `
-- Of two that put the same revision the second waits for the first, and finds it there.
create function put_settings(p_now int8, p_expect int8, p_actor bytea, p_document bytea, p_keep int4)
returns table (is_stored boolean, revision int8) language plpgsql volatile set search_path from current as $fn$
#variable_conflict use_column
begin
  perform promise_durable();
  perform pg_advisory_xact_lock(hashtext(current_schema()), -2);
  revision := coalesce((select max(s.revision) from settings_revision s), 0);
  is_stored := revision = p_expect;
  if is_stored then
    revision := revision + 1;
    insert into settings_revision values (revision, coalesce(p_now, clock_ms()), p_actor, p_document, sha256(p_document));
    delete from settings_revision s where s.revision <= put_settings.revision - p_keep;
  end if;
  return next;
end
$fn$;
`;

import { ACCOUNT_SETTING, CONFINED_TO } from './tenant.ts';

/**
 * Functions for looking up a credential before the tenant is known. They run with the rights of the owner, to which policies do not apply.
 * They find the holder of a secret by its hash, confine their session to that account, and reveal nothing else. Each `migrate` recreates
 * them, in a schema of their own: in ours, the schema diff would drop objects that no entity declares. A function with changed parameters
 * or results needs a new name, because versions of the product run side by side.
 */
export const LOOKUP_SCHEMA = 'lookup';

export const lookups = [
  lookup('named_credential_of_key', {
    columns: 'k.id, k.name, k.kind, k.scope, k.last_used_at',
    from: 'public.api_key k',
    where: 'k.hash = wanted and k.revoked_at is null and (k.expires_at is null or k.expires_at > at)',
    accountId: 'k.account_id',
  }),
  lookup('named_credential_of_token', {
    columns: `-g.id, g.application_name, 'token'::varchar, t.scope, g.last_used_at`,
    from: 'public.oauth_token t join public.oauth_grant g on g.account_id = t.account_id and g.id = t.grant_id',
    where: `t.hash = wanted and t.kind = 'access' and t.expires_at > at`,
    accountId: 't.account_id',
  }),
];

interface Lookup {
  columns: string;
  from: string;
  where: string;
  accountId: string;
}

function lookup(name: string, { columns, from, where, accountId }: Lookup): { signature: string; create: string } {
  const signature = `${LOOKUP_SCHEMA}.${name}(wanted text, at timestamptz)`;
  const create = `
    create or replace function ${signature} returns table (
      account public.account, credential_id int, credential_name varchar, credential_kind varchar, credential_scope varchar,
      credential_used timestamptz, ${CONFINED_TO} int)
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      return query select a, ${columns}, set_config('${ACCOUNT_SETTING}', a.id::text, false)::int
        from ${from} join public.account a on a.id = ${accountId} where ${where};
    end; $$;`;
  return { signature, create };
}

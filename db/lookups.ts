import { auditMonths } from './auditMonths.ts';
import { ACCOUNT_SETTING, CONFINED_TO, OWNER_SETTING } from './tenant.ts';

/**
 * Functions that run with the rights of the owner, to which policies do not apply. Some look up a credential before the tenant is known:
 * they find the holder of a secret by its hash, confine their session to that account, and reveal nothing else. The others find ids in the
 * account of the session by an index that a policy would forbid, because its operator is not known to be leakproof. Those of
 * `db/auditMonths.ts` keep the audit log. Each `migrate`
 * recreates them, in a schema of their own: in ours, the schema diff would drop objects that no entity declares. A function with changed
 * parameters or results needs a new name, because versions of the product run side by side.
 */
export const LOOKUP_SCHEMA = 'lookup';

/** SQL: whether an account demands a second factor of its members. */
export const needsTwoFactors = (account: string): string =>
  `coalesce((${account}.settings ->> 'require_second_factor')::boolean, false)`;

/** SQL: the account of the session. Null: the session is not confined, and finds nothing. */
const SESSION_ACCOUNT = `nullif(current_setting('${ACCOUNT_SETTING}', true), '')::int`;

/** SQL: the member whose customers alone the session sees. Null: it sees those of all. */
const SESSION_OWNER = `nullif(current_setting('${OWNER_SETTING}', true), '')::int`;

export const lookups = [
  lookup('holder_of_key', {
    columns: 'k.id, k.name, k.kind, k.scope, k.last_used_at',
    from: 'public.api_key k left join public.member m on m.account_id = k.member_account_id and m.id = k.member_id',
    where: `k.hash = wanted and k.revoked_at is null and (k.expires_at is null or k.expires_at > at)
      and (k.member_id is null or m.status = 'active')`,
    accountId: 'k.account_id',
  }),
  lookup('holder_of_token', {
    columns: `-g.id, g.application_name, 'token'::varchar, t.scope, g.last_used_at`,
    from: `public.oauth_token t join public.oauth_grant g on g.account_id = t.account_id and g.id = t.grant_id
      join public.member m on m.account_id = g.member_account_id and m.id = g.member_id`,
    where: `t.hash = wanted and t.kind = 'access' and t.expires_at > at and m.status = 'active'`,
    accountId: 't.account_id',
  }),
  lookup('holder_of_session', {
    parameters: 'live_id int, in_environment varchar',
    columns: `-1000000000 - m.id, m.email, 'session'::varchar, 'read_write'::varchar, s.last_seen_at`,
    from: `public.person_session s join public.member m on m.person_id = s.person_id and m.account_id = live_id`,
    where: `s.hash = wanted and s.expires_at > at and m.status = 'active'`,
    accountId: `(select case when in_environment = 'live' then l.id else l.twin_id end from public.account l where l.id = live_id)`,
    session: `jsonb_build_object('id', s.id, 'person_id', s.person_id, 'member_seen', m.last_seen_at,
      'proofs', s.proofs, 'proven_at', s.proven_at, 'needs_two_factors', (select ${needsTwoFactors('l')} from public.account l where l.id = live_id))`,
  }),
  ofAccount('open_invoices_of_balances', {
    parameters: 'currencies text[], balances numeric[], payers int[], most int',
    result: 'wanted_place int, found_id int',
    query: `select w.place::int, i.id from unnest(currencies, balances) with ordinality as w(currency, balance, place)
      cross join lateral (
        select o.id from public.invoice o
        where o.account_id = ${SESSION_ACCOUNT} and o.currency = w.currency and o.balance = w.balance
          and not o.closed and o.issued_at is not null and (payers is null or o.customer_id = any(payers))
          and not exists (select 1 from public.customer c
            where c.account_id = o.account_id and c.id = o.customer_id
              and (c.anonymized_at is not null or c.owner_id is distinct from coalesce(${SESSION_OWNER}, c.owner_id)))
        order by o.id limit most
      ) i`,
  }),
  ofAccount('customers_of_names', {
    parameters: 'names text[], most int',
    result: 'found_id int',
    query: `select c.id from public.customer c where c.account_id = ${SESSION_ACCOUNT} and lower(c.name) = any(names)
      and c.anonymized_at is null and c.merged_into_id is null
      and c.owner_id is not distinct from coalesce(${SESSION_OWNER}, c.owner_id) order by c.id limit most`,
  }),
  ...auditMonths(SESSION_ACCOUNT),
];

/** `from` names the member `m` who holds the secret, if one does. */
interface Lookup {
  /** Besides the hash and the time. */
  parameters?: string;
  columns: string;
  from: string;
  where: string;
  accountId: string;
  /** JSON of the session of a browser; absent: the secret is none. */
  session?: string;
}

function lookup(name: string, given: Lookup): { signature: string; create: string } {
  const { columns, from, where, accountId, parameters, session = 'null::jsonb' } = given;
  const more = parameters ? `, ${parameters}` : '';
  const signature = `${LOOKUP_SCHEMA}.${name}(wanted text, at timestamptz${more})`;
  const create = `
    create or replace function ${signature} returns table (
      account public.account, credential_id int, credential_name varchar, credential_kind varchar, credential_scope varchar,
      credential_used timestamptz, member_id int, member_email varchar, member_role varchar, member_is_limited boolean,
      role_permissions text[], session jsonb, ${CONFINED_TO} int)
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      return query select a, ${columns}, m.id, m.email, m.role, m.is_limited, r.permissions, ${session},
          set_config('${ACCOUNT_SETTING}', a.id::text, false)::int
        from ${from} join public.account a on a.id = ${accountId}
        left join public.role r on r.account_id = m.account_id and r.code = m.role where ${where};
    end; $$;`;
  return { signature, create };
}

interface InAccount {
  parameters: string;
  result: string;
  query: string;
}

function ofAccount(name: string, { parameters, result, query }: InAccount): { signature: string; create: string } {
  const signature = `${LOOKUP_SCHEMA}.${name}(${parameters})`;
  const create = `
    create or replace function ${signature} returns table (${result})
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
    begin
      return query ${query};
    end; $$;`;
  return { signature, create };
}

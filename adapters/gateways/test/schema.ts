import pg from 'pg';

/** Advisory lock, so that only one process installs at a time. The number is arbitrary. */
const installLock = 4_242_424_242;

/** Creates the schema and its tables if they are missing. */
export const testGatewayTables = `
create schema if not exists test_gateway;

create table if not exists test_gateway.source (
  reference text primary key,
  account_id bigint not null,
  customer_reference text not null,
  type text not null,
  token text not null,
  position integer not null default 0,
  expires_in integer not null,
  deleted boolean not null default false,
  verified boolean not null default false,
  wrong_tries integer not null default 0
);

create table if not exists test_gateway.operation (
  id bigint generated always as identity primary key,
  key text not null unique,
  reference text not null unique,
  account_id bigint not null,
  customer_id bigint not null,
  kind text not null check (kind in ('charge', 'vault', 'verify_source', 'delete_source', 'refund')),
  source_type text,
  token text,
  source_reference text,
  vault boolean not null default false,
  amount numeric,
  currency text,
  description text,
  status text not null default 'unconfirmed'
    check (status in ('unconfirmed', 'succeeded', 'pending', 'failed', 'abandoned')),
  captured integer not null default 0,
  lost boolean not null default false,
  decline_kind text,
  decline_code text,
  decline_message text,
  disputed_later boolean not null default false,
  charge_reference text,
  amounts text,
  prepared_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  settles_at timestamptz,
  settles_as text
);

do $$ begin
  if not exists (select from information_schema.columns
    where table_schema = 'test_gateway' and table_name = 'operation' and column_name = 'charge_reference') then
    alter table test_gateway.source add column verified boolean not null default false,
      add column wrong_tries integer not null default 0;
    alter table test_gateway.operation add column charge_reference text, add column amounts text, drop constraint operation_kind_check,
      add constraint operation_kind_check check (kind in ('charge', 'vault', 'verify_source', 'delete_source', 'refund'));
  end if;
  if not exists (select from information_schema.columns
    where table_schema = 'test_gateway' and table_name = 'operation' and column_name = 'recorded_at') then
    alter table test_gateway.operation add column recorded_at timestamptz not null default now();
  end if;
end $$;

create table if not exists test_gateway.dispute (
  reference text primary key,
  charge_reference text not null references test_gateway.operation (reference),
  amount numeric not null,
  status text not null default 'open' check (status in ('open', 'won', 'lost', 'withdrawn')),
  amount_lost numeric not null default 0,
  reason text not null,
  fee numeric not null,
  opens_at timestamptz not null,
  evidence_due_at timestamptz not null,
  closes_as text not null check (closes_as in ('won', 'lost', 'partial', 'withdrawn'))
);

create table if not exists test_gateway.event (
  id text primary key,
  account_id bigint not null,
  type text not null,
  reference text not null,
  due_at timestamptz not null,
  tries integer not null default 0,
  delivered_at timestamptz
);

create index if not exists dispute_by_charge on test_gateway.dispute (charge_reference);
create index if not exists dispute_open on test_gateway.dispute (evidence_due_at) where status = 'open';
create index if not exists operation_pending on test_gateway.operation (settles_at) where status = 'pending';
create index if not exists event_due on test_gateway.event (due_at) where delivered_at is null;

alter table test_gateway.operation add column if not exists returned_at timestamptz,
  add column if not exists return_code text;

alter table test_gateway.operation add column if not exists return_url text,
  add column if not exists challenge text check (challenge in ('open', 'passed', 'failed'));

create index if not exists operation_by_charge on test_gateway.operation (charge_reference) where charge_reference is not null;
create index if not exists operation_by_recorded on test_gateway.operation (recorded_at, id);
`;

/**
 * The logins that use the schema: the gateway, and the login for all accounts, which compares the record with our books.
 */
interface Users {
  gateway: { user: string };
  system: { user: string };
}

const rightsOf = ({ gateway, system }: Users): string => `
revoke all on schema test_gateway from public;
revoke all on all tables in schema test_gateway from public;
grant usage on schema test_gateway to "${gateway.user}", "${system.user}";
grant select, insert, update on all tables in schema test_gateway to "${gateway.user}";
grant select on test_gateway.operation, test_gateway.dispute, test_gateway.event to "${system.user}";
`;

/**
 * Creates the test gateway's schema if it is missing, and grants the rights. Idempotent, also when several processes run it at once. Needs the
 * right to create schemas. Fails with a lock timeout while another transaction holds its tables: repeat it.
 */
export async function installTestGateway(databaseUrl: string, users: Users): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [installLock]);
    await client.query("set local lock_timeout = '2s'"); // later statements wait behind it
    await client.query(testGatewayTables);
    await client.query(rightsOf(users));
    await client.query('commit');
  } finally {
    await client.end();
  }
}

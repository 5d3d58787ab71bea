import { environments } from '../../../billing/environments.ts';
import { accountsOfPerson, membersOfBusiness } from '../../../db/queries/accounts/roles.ts';
import { readingOf } from '../../../db/queries/kernel/reading.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { liveIdOf } from '../../../db/schema/account.ts';
import { Member } from '../../../db/schema/member.ts';
import { asSystem } from '../../../db/tenant.ts';
import { presentMember } from '../../../present/accounts/people.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { type Reply, type Route, reply } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import { member } from './members.ts';

const ownAccount = shown.value('OwnAccount', 'An account in one environment, and the role in it', {
  id: shown.id('Id of the account'),
  name: shown.text('Name of the account', 'Acme'),
  environment: shown.oneOf('Environment of the account', 'sandbox', environments),
  role: shown.nullable(shown.code('Id of the role in it; null: a key of the account', 'employee')),
});

const me = shown.value('Me', 'Sender of the request, with its permissions', {
  email: shown.nullable(shown.text('Email address of the person; null: a key of the account', 'ada@example.com')),
  name: shown.nullable(shown.text('Name of the person', 'Ada Lovelace')),
  member: shown.nullable(shown.one(member, 'The member who acts, or who made the key; null: a key of the account')),
  owner_limited: shown.flag('True: only the customers whose `owner` the member is', false),
  permissions: shown.textList('Permissions of the request', 'customers.read', 'customers.write'),
  csrf_token: shown.nullable(
    shown.text(
      'In a browser: what a page of ours sends as `X-CSRF-Token` with each write; null: a key or token',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
  ),
  account: shown.one(ownAccount, 'The account of the request'),
  time_zone: shown.text('IANA time zone of the account, in which its days begin', 'America/Chicago'),
  currency: shown.currency('Currency of the account: three-letter ISO 4217 code'),
  accounts: shown.listOf(
    ownAccount,
    'In a browser: all accounts in which the person is an active member. With a key or token: the account of the request',
  ),
});

async function readMe({ em, caller, csrfToken }: ApiRequest): Promise<Reply> {
  const { account, member: acting, credential, permissions } = caller;
  const { id, name, environment } = account;
  const here = { id, name, environment, role: acting?.role ?? null };
  const where = condition('id = ?', acting?.id ?? null);
  const rows = { row: Member, from: membersOfBusiness, where, order: [], limit: 1, offset: 0 };
  const [found] = acting ? await readingOf(em, id).slice(rows) : [];
  const own = { accountId: liveIdOf(account), id: acting?.id ?? 0 };
  // A key or token is for one account: it does not tell whose member the person is elsewhere.
  const isPerson = credential?.kind === 'member';
  const accounts = isPerson ? await asSystem(() => accountsOfPerson(em, own), id) : [here];
  return reply(200, {
    email: acting?.email ?? null,
    name: found?.row.name ?? null,
    member: found ? presentMember(found.row) : null,
    owner_limited: acting?.isLimited ?? false,
    permissions: [...permissions],
    csrf_token: csrfToken,
    account: here,
    time_zone: account.timeZone,
    currency: account.currency,
    accounts: accounts.map((one) => ({ ...one })),
  });
}

export const meRoutes: Route[] = [
  {
    method: 'GET',
    path: '/me',
    operationId: 'readMe',
    permission: null,
    summary: 'Read who you are, and what you may do',
    parameters: {},
    answer: { statusCode: 200, kind: { shape: me } },
    handle: readMe,
  },
];

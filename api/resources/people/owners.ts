import { lockCountOf } from '../../../db/lock.ts';
import { membersOfBusiness } from '../../../db/queries/accounts/roles.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { liveIdOf } from '../../../db/schema/account.ts';
import { Member } from '../../../db/schema/member.ts';
import { presentOwner } from '../../../present/accounts/people.ts';
import * as fields from '../../body/fields.ts';
import { column, type Resource, updatedBetween } from '../../framework/resource.ts';
import type { Route } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import { listRoute } from '../../reading/readRoutes.ts';

const owner = shown.shape(
  'Owner',
  'Member as the possible owner of customers: its name, without its address and rights',
  {
    id: shown.id('Id of the member', 8),
    name: shown.nullable(shown.text('Name of the member; null: it has given none', 'Ada Lovelace')),
    active: shown.flag('False: it was deactivated, and is given no further customers', true),
    created_at: shown.createdAt,
    updated_at: shown.updatedAt,
  },
);

/** For those who may read customers, but not members. Who sees its own customers alone sees itself alone. */
const owners: Resource<Member, 'id'> = {
  name: 'Owner',
  area: 'customers',
  shape: owner,
  row: Member,
  from: membersOfBusiness,
  listed: ({ caller: { member } }) => (member?.isLimited ? condition('id = ?', member.id) : condition('true')),
  locked:
    ({ account }) =>
    (em) =>
      lockCountOf(em, 'member', liveIdOf(account)),
  idColumn: 'id',
  columns: { id: column('id', fields.id) },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentOwner),
};

export const ownerRoutes: Route[] = [
  listRoute({ path: '/owners', resource: owners, summary: 'List the members who can own customers, by name alone' }),
];

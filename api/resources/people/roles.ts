import { coveredBy, permissions } from '../../../billing/people/permissions.ts';
import { createRole, deleteRole, updateRole } from '../../../commands/people/roles.ts';
import { lockCountOf } from '../../../db/lock.ts';
import { rolesOfBusiness } from '../../../db/queries/accounts/roles.ts';
import { liveIdOf } from '../../../db/schema/account.ts';
import { Role } from '../../../db/schema/member.ts';
import { presentRole } from '../../../present/accounts/people.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { column, type Resource, updatedBetween } from '../../framework/resource.ts';
import { keysOnly, type Route } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';

const covered = Object.entries(coveredBy).map(([area, words]) => `\`${area}\`: ${words}`);
const PERMISSIONS = `Permissions, each \`<area>.read\` or \`<area>.write\`; who may write an area may read it. ${covered.join('; ')}`;

const role = shown.shape('Role', 'Role: what its members may do', {
  id: shown.code('Id of the role: chosen at creation, otherwise generated', 'bookkeeper'),
  name: shown.text('Name of the role', 'Bookkeeper'),
  permissions: shown.textList(PERMISSIONS, 'customers.read', 'payments.read', 'payments.write'),
  built_in: shown.flag('True: every account has it, and it cannot be changed', false),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const readOnly = ['object', 'built_in', 'created_at', 'updated_at'];
const list = fields.list(fields.required(fields.choice(...permissions)), permissions.length);

const newRole = object(
  { id: fields.newCode, name: fields.required(fields.name), permissions: fields.required(list) },
  { readOnly },
);

const roleChange = object(
  { name: fields.kept(fields.name), permissions: fields.kept(list) },
  { readOnly, fixed: ['id'] },
);

const roles: Resource<Role, 'code'> = {
  name: 'Role',
  area: 'people',
  shape: role,
  row: Role,
  from: rolesOfBusiness,
  locked:
    ({ account }) =>
    (em) =>
      lockCountOf(em, 'member', liveIdOf(account)),
  idColumn: 'code',
  columns: { id: column('code', fields.code) },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentRole),
};

const path = '/roles';
const present = presentRole;

export const roleRoutes: Route[] = [
  ...keysOnly(
    createRoute({
      path,
      resource: roles,
      summary: 'Make a role; it can hold only what you hold yourself',
      body: newRole,
      present,
      example: { id: 'bookkeeper', name: 'Bookkeeper', permissions: ['customers.read', 'payments.write'] },
      command: (em, { caller, body }, now) => {
        const { id = null, name, permissions } = body;
        return createRole(em, { caller, code: id, name, permissions }, now);
      },
    }),
  ),
  listRoute({ path, resource: roles, summary: 'List roles: the built-in ones, and your own' }),
  readRoute({ path, resource: roles, summary: 'Read a role' }),
  ...keysOnly(
    updateRoute({
      path,
      resource: roles,
      summary: 'Change a role, for its members and their keys at once',
      present,
      body: roleChange,
      example: { name: 'Bookkeeping' },
      command: (em, { caller, code, body }, now) => updateRole(em, { caller, code, fields: body }, now),
    }),
    deleteRoute({ path, resource: roles, summary: 'Delete a role that no member has', command: deleteRole }),
  ),
];

import { glAccountTypes } from '../../billing/reports/glAccounts.ts';
import { createGlAccount, deleteGlAccount, updateGlAccount } from '../../commands/accounts/glAccounts.ts';
import { GlAccount } from '../../db/schema/glAccount.ts';
import { presentGlAccount } from '../../present/accounts/account.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';

const CODE =
  'Code in your accounting software, by which items, tax rates, payment methods and `gl_mapping` name it: unique without regard to case';
const TYPE = 'Type, as accounting software has it; null: not said';

const glAccount = shown.shape('GlAccount', 'Account of your general ledger, whose name reports show beside its code', {
  id: shown.id('Id of the general ledger account'),
  code: shown.text(CODE, '4000'),
  name: shown.text('Name of the account, shown in reports', 'Sales'),
  type: shown.nullable(shown.oneOf(TYPE, 'income', glAccountTypes)),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const readOnly = ['object', 'created_at', 'updated_at'];
const code = fields.described(fields.number, CODE);
const type = fields.choice(...glAccountTypes);

const newGlAccount = object({ code: fields.required(code), name: fields.required(fields.name), type }, { readOnly });

const glAccountChange = object(
  {
    code: fields.described(fields.kept(code), `${CODE}. It cannot change while something names it`),
    name: fields.kept(fields.name),
    type,
  },
  { readOnly: ['id', ...readOnly] },
);

const glAccounts: Resource<GlAccount, 'id'> = {
  name: 'General ledger account',
  area: 'settings',
  shape: glAccount,
  row: GlAccount,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    code: column('code', fields.text()),
    name: column('name', fields.text()),
    type: filtered('type', type),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentGlAccount),
};

const path = '/gl_accounts';
const present = presentGlAccount;

export const glAccountRoutes: Route[] = [
  createRoute({
    path,
    resource: glAccounts,
    summary: 'Create a general ledger account',
    body: newGlAccount,
    present,
    example: { code: '4000', name: 'Sales', type: 'income' },
    command: (em, { caller, body: { code, name, type = null } }, now) =>
      createGlAccount(em, { caller, fields: { code, name, type } }, now),
  }),
  listRoute({ path, resource: glAccounts, summary: 'List general ledger accounts' }),
  readRoute({ path, resource: glAccounts, summary: 'Read a general ledger account' }),
  updateRoute({
    path,
    resource: glAccounts,
    summary: 'Change a general ledger account; its code only while nothing names it',
    present,
    body: glAccountChange,
    example: { name: 'Sales of services' },
    command: (em, { caller, id, body }, now) => updateGlAccount(em, { caller, id, fields: body }, now),
  }),
  deleteRoute({
    path,
    resource: glAccounts,
    summary: 'Delete a general ledger account that nothing names',
    command: deleteGlAccount,
  }),
];

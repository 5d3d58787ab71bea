import { archiveTaxRate, createTaxRate, updateTaxRate } from '../../commands/catalog/taxRates.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { TaxRate } from '../../db/schema/taxRate.ts';
import { presentWholeTaxRate } from '../../present/catalog/products.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';

const OF_TAX = 'General ledger account of the tax that is owed';

const plain = shown.shape('TaxRate', 'Tax rate, added to prices or contained in them', {
  id: shown.code('Id of the tax rate: chosen at creation, otherwise generated', 'vat-19'),
  name: shown.text('Name of the tax, as printed on documents', 'VAT'),
  value: shown.number('Tax: a percentage (`19` is 19 %), or an amount per document in major currency units', 19),
  is_percent: shown.flag('True: `value` is a percentage; false: an amount', true),
  inclusive: shown.flag('True: prices contain the tax', false),
  currency: shown.nullable(shown.currency('Currency of documents that can have it; null: any'), null),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  metadata: shown.metadata,
});

export const taxRate = shown.sometimes(plain, {
  gl_account: shown.nullable(
    shown.text(`${OF_TAX}. Only of the tax rate itself, not where other objects show it`, '2200'),
  ),
  reverse_charge: shown.flag('True: a tax rule made the buyer owe this tax, so `value` is 0. Only in documents', true),
});

const readOnly = ['object', 'created_at', 'updated_at'];

const newTaxRate = object(
  {
    id: fields.newCode,
    name: fields.required(fields.name),
    value: fields.required(fields.unitPrice),
    is_percent: fields.withDefault(fields.boolean, true),
    inclusive: fields.withDefault(fields.boolean, false),
    currency: fields.currency,
    gl_account: fields.reference,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

const taxRateChange = object(
  {
    name: fields.kept(fields.name),
    gl_account: fields.reference,
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly, fixed: ['id', 'value', 'is_percent', 'inclusive', 'currency'] },
);

export const taxRates: Resource<TaxRate, 'code'> = {
  name: 'Tax rate',
  area: 'catalog',
  shape: taxRate,
  row: TaxRate,
  idColumn: 'code',
  metadata: true,
  csvColumns: [
    'id',
    'object',
    'name',
    'value',
    'is_percent',
    'inclusive',
    'currency',
    'gl_account',
    'created_at',
    'updated_at',
  ],
  exists: condition('archived_at is null'),
  columns: {
    id: column('code', fields.code),
    name: column('name', fields.text()),
    currency: filtered('currency', fields.currency),
    is_percent: filtered('is_percent', fields.boolean),
    inclusive: filtered('inclusive', fields.boolean),
    gl_account: filtered('gl_account', fields.described(fields.text(), OF_TAX, '2200')),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentWholeTaxRate),
};

const path = '/tax_rates';
const present = presentWholeTaxRate;

export const taxRateRoutes: Route[] = [
  createRoute({
    path,
    resource: taxRates,
    summary: 'Create a tax rate',
    body: newTaxRate,
    present,
    example: { id: 'vat-19', name: 'VAT', value: 19 },
    command: (em, { caller, body }, now) => {
      const { id, name, value, is_percent: isPercent, inclusive, currency = null, metadata } = body;
      const { gl_account: glAccount = null } = body;
      const fields = { name, value, isPercent, inclusive, currency, glAccount, metadata };
      return createTaxRate(em, { caller, code: id ?? null, fields }, now);
    },
  }),
  listRoute({ path, resource: taxRates, summary: 'List tax rates' }),
  readRoute({ path, resource: taxRates, summary: 'Read a tax rate' }),
  updateRoute({
    path,
    resource: taxRates,
    summary: 'Change a tax rate: name, general ledger account or metadata',
    present,
    body: taxRateChange,
    example: { name: 'Value added tax' },
    command: (em, { caller, code, body }, now) => {
      const { gl_account: glAccount, ...fields } = body;
      return updateTaxRate(em, { caller, code, fields: { ...fields, glAccount } }, now);
    },
  }),
  deleteRoute({
    path,
    resource: taxRates,
    command: archiveTaxRate,
    summary: 'Archive a tax rate; existing objects keep it',
  }),
];

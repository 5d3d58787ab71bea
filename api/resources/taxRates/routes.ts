import { archiveTaxRate, createTaxRate, updateTaxRate } from '../../../commands/catalog/taxRates.ts';
import { presentTaxRate } from '../../../present/catalog/taxRate.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { taxRates } from './resource.ts';
import { newTaxRate, taxRateChange } from './schema.ts';

const path = '/tax_rates';
const present = presentTaxRate;

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
      const fields = { name, value, isPercent, inclusive, currency, metadata };
      return createTaxRate(em, { caller, code: id ?? null, fields }, now);
    },
  }),
  listRoute({ path, resource: taxRates, summary: 'List tax rates' }),
  readRoute({ path, resource: taxRates, summary: 'Read a tax rate' }),
  updateRoute({
    path,
    resource: taxRates,
    summary: 'Change a tax rate: name or metadata',
    present,
    body: taxRateChange,
    example: { name: 'Value added tax' },
    command: (em, { caller, code, body }, now) => updateTaxRate(em, { caller, code, fields: body }, now),
  }),
  deleteRoute({
    path,
    resource: taxRates,
    command: archiveTaxRate,
    summary: 'Archive a tax rate; existing objects keep it',
  }),
];

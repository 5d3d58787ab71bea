import {
  createCreditBalanceAdjustment,
  deleteCreditBalanceAdjustment,
  updateCreditBalanceAdjustment,
} from '../../../commands/payments/adjustments.ts';
import { presentCreditBalanceAdjustment } from '../../../present/customers/creditBalanceAdjustment.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { creditBalanceAdjustments } from './resource.ts';
import { creditBalanceAdjustmentChange, newCreditBalanceAdjustment } from './schema.ts';

const path = '/credit_balance_adjustments';
const resource = creditBalanceAdjustments;
const present = presentCreditBalanceAdjustment;

export const creditBalanceAdjustmentRoutes: Route[] = [
  createRoute({
    path,
    resource,
    body: newCreditBalanceAdjustment,
    present,
    summary: 'Raise or lower the credit balance of a customer',
    example: { customer: 1, amount: 25, notes: 'Goodwill' },
    command: (em, { caller, body }, now) => {
      const { customer: customerId, currency, amount, date, notes } = body;
      const rest = { currency: currency ?? null, date: date ?? null, notes: notes ?? null };
      return createCreditBalanceAdjustment(em, { caller, customerId, amount, ...rest }, now);
    },
  }),
  listRoute({ path, resource, summary: 'List credit balance adjustments' }),
  readRoute({ path, resource, summary: 'Read a credit balance adjustment' }),
  updateRoute({
    path,
    resource,
    body: creditBalanceAdjustmentChange,
    present,
    summary: 'Change a credit balance adjustment: amount, date or notes',
    example: { amount: 30, notes: 'Goodwill, as agreed' },
    command: (em, { caller, id, body }, now) => {
      const { customer: customerId, currency, amount, date, notes } = body;
      const change = { fields: { amount, date, notes }, fixed: { customerId, currency } };
      return updateCreditBalanceAdjustment(em, { caller, id, ...change }, now);
    },
  }),
  deleteRoute({
    path,
    resource,
    command: deleteCreditBalanceAdjustment,
    summary: 'Delete a credit balance adjustment and undo its change',
  }),
];

import {
  createCreditBalanceAdjustment,
  deleteCreditBalanceAdjustment,
  updateCreditBalanceAdjustment,
} from '../../commands/payments/adjustments.ts';
import { CreditBalanceAdjustment } from '../../db/schema/creditBalanceAdjustment.ts';
import { presentCreditBalanceAdjustment } from '../../present/customers/customer.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { between, column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';
import { creditNotes } from './creditNotes/resource.ts';
import { customers } from './customers/resource.ts';

const creditBalanceAdjustment = shown.shape(
  'CreditBalanceAdjustment',
  'Manual change of the credit balance of a customer',
  {
    id: shown.id('Id of the adjustment', 4),
    customer: shown.id('Id of the customer whose credit balance changes'),
    currency: shown.currency(),
    amount: shown.money('Change of the credit balance, positive or negative', 25),
    date: shown.timestamp('Date from which the change counts'),
    notes: shown.unset(shown.text('Internal notes; not shown to the customer', 'Goodwill')),
    credit_note: shown.unset(
      shown.id('Id of the credit note whose amount beyond its invoice it credits; null: it was made by hand'),
    ),
    refund: shown.unset(shown.id('Id of the refund that paid the credit out, or gave it back')),
    created_at: shown.createdAt,
    updated_at: shown.updatedAt,
  },
);

const readOnly = ['id', 'object', 'credit_note', 'refund', 'created_at', 'updated_at'];
const amount = fields.described(
  fields.amount,
  'Change of the credit balance: positive adds credit, negative removes it; in major currency units',
);

const newCreditBalanceAdjustment = object(
  {
    customer: fields.required(fields.id),
    currency: fields.currency,
    amount: fields.required(amount),
    date: fields.timestamp,
    notes: fields.longText,
  },
  { readOnly },
);

const creditBalanceAdjustmentChange = object(
  {
    customer: fields.described(fields.id, 'Cannot be changed; the current value is accepted'),
    currency: fields.described(fields.kept(fields.currency), 'Cannot be changed; the current value is accepted'),
    amount: fields.kept(amount),
    date: fields.kept(fields.timestamp),
    notes: fields.longText,
  },
  { readOnly },
);

export const creditBalanceAdjustments: Resource<CreditBalanceAdjustment, 'id'> = {
  name: 'Credit balance adjustment',
  area: 'corrections',
  shape: creditBalanceAdjustment,
  row: CreditBalanceAdjustment,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    currency: filtered('currency', fields.currency),
    date: sorted('date'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: {
    ...between('date', fields.timestamp, ['start_date', 'end_date']),
    ...updatedBetween,
  },
  present: async (_reading, rows) => rows.map(presentCreditBalanceAdjustment),
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
    credit_note: relation(
      () => creditNotes,
      (row) => row.creditNoteId ?? null,
    ),
  },
};

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

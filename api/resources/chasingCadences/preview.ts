import { chaseActions } from '../../../billing/collection/cadence.ts';
import { type CadencePreview, previewCadence } from '../../../commands/chasing/preview.ts';
import { presentCadencePreview } from '../../../present/catalog/cadences.ts';
import { schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { LARGEST_ID } from '../../body/readers.ts';
import { refuseRepeated } from '../../framework/parameterNames.ts';
import { readParameter } from '../../framework/resource.ts';
import { pathId, type Route, reply } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';

const asked = shown.value('ForeseenBalance', 'A balance that a step would ask for', {
  currency: shown.currency(),
  balance: shown.money('Balance without unapplied money', 120),
  invoices: {
    schema: { type: 'array', items: { type: 'integer' }, description: 'Ids of the invoices' },
    example: [77],
  },
});

const step = shown.value('ForeseenChaseStep', 'A step that a customer would be asked in', {
  at: shown.timestamp('When it would be taken'),
  chase_step: shown.id('Id of the step', 12),
  name: shown.text('Name of the step', 'First reminder'),
  action: shown.oneOf('Kind of the step', 'email', chaseActions),
  balances: shown.listOf(asked, 'Balances that it would ask for, by currency'),
});

const takenStep = shown.value('TakenChaseStep', 'A step that a customer was asked in', {
  chase_step: shown.id('Id of the step; the cadence may no longer have it', 11),
  at: shown.nullable(shown.timestamp('When it was taken; null: it was skipped')),
});

const reasons = [
  'switched_off',
  'credit_hold',
  'no_cadence',
  'paused',
  'finished',
  'nothing_open',
  'below_minimum',
  'not_past_due',
  'no_run_day',
] as const;

const shownCustomer = shown.value('ForeseenCustomer', 'A customer in the preview of a cadence', {
  customer: shown.id('Id of the customer', 4),
  name: shown.text('Name of the customer', 'Ada Lovelace'),
  last_step: shown.nullable(
    shown.one(takenStep, 'Step that it was asked in last, since it was last paid up; null: none'),
  ),
  steps: shown.listOf(step, 'Steps in the days ahead; empty: it is not asked'),
  reason: shown.nullable(
    shown.oneOf('Reason why no further step follows; null: one follows later', 'finished', reasons),
    null,
  ),
});

export const cadencePreview = shown.value(
  'CadencePreview',
  'Customers that follow a cadence and owe something, with the steps of the next days if nothing is paid or changed',
  {
    chasing_cadence: shown.id('Id of the chasing cadence', 3),
    customers: shown.listOf(shownCustomer, 'Customers in the order of their ids, at most 500'),
    next: shown.unset(shown.integer('Value of `after` for the next page; null: there is none', 500)),
  },
);

export const DEFAULT_DAYS = 14;
const MOST_DAYS = 60;

const days = fields.described(
  fields.wholeNumber(1, MOST_DAYS),
  `Number of days to look ahead; default: ${DEFAULT_DAYS}`,
  DEFAULT_DAYS,
);
const id = fields.wholeNumber(1, LARGEST_ID);
const customer = fields.described(id, 'Only this customer; default: all that owe something', 4);
const after = fields.described(id, 'Only customers with a higher id: `next` of the page before', 500);

export const cadencePreviewRoute: Route = {
  method: 'GET',
  path: '/chasing_cadences/:id/preview',
  operationId: 'previewChasingCadence',
  permission: 'collections.read',
  summary: 'Preview the next days of a chasing cadence: who is asked for what and when, and who is not',
  parameters: {
    days: { schema: schemaOf(days) },
    customer: { schema: schemaOf(customer) },
    after: { schema: schemaOf(after) },
  },
  answer: { statusCode: 200, kind: { shape: cadencePreview } },
  handle: async (request) => {
    const { em, query, caller, deps } = request;
    refuseRepeated(query);
    const given = (name: string) => query.get(name) ?? '';
    const numberIn = (field: typeof days, name: string) =>
      given(name) === '' ? null : readParameter(field, given(name), name);
    const asked = {
      account: caller.account,
      cadenceId: pathId(request, 'Chasing cadence'),
      days: numberIn(days, 'days') ?? DEFAULT_DAYS,
      customerId: numberIn(customer, 'customer'),
      after: numberIn(after, 'after') ?? 0,
    };
    const preview: CadencePreview = await previewCadence(em, asked, deps.systemNow());
    return reply(200, presentCadencePreview(asked.cadenceId, preview));
  },
};

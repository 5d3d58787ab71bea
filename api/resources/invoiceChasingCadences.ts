import { MOST_STEPS } from '../../billing/collection/cadence.ts';
import { INVOICE_SCHEDULES } from '../../billing/collection/invoiceCadence.ts';
import {
  createInvoiceCadence,
  deleteInvoiceCadence,
  updateInvoiceCadence,
} from '../../commands/catalog/invoiceCadences.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import { presentInvoiceCadence } from '../../present/catalog/cadences.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { type Route, writtenForAll } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';
import { hour, planning, shownStepWith, stepsOf, stepWith } from './chasingCadences/resource.ts';

const shownStep = shownStepWith(
  'InvoiceChaseStep',
  'A step in which an invoice is asked for',
  shown.text(
    'When: `issue`, `after_issue:N`, `before_due:N`, `after_due:N` in days, `on:YYYY-MM-DD`, or `every:N` days after the step before',
    'after_due:7',
  ),
);

const IS_DEFAULT = 'True: invoices that name no cadence get it when they are issued';

const invoiceCadence = shown.shape(
  'InvoiceChasingCadence',
  'Steps in which single invoices are asked for, with the hour at which their customers are asked',
  {
    id: shown.id('Id of the invoice chasing cadence', 3),
    name: shown.text('Name of the cadence', 'Large invoices'),
    time_of_day: shown.integer('Hour at which customers are asked, 0 to 23, in the time zone of the account', 9),
    paused: shown.flag('True: it asks for nothing until it is resumed', false),
    default: shown.flag(IS_DEFAULT, false),
    steps: shown.listOf(shownStep, 'Steps of the cadence'),
    planning: shown.nullable(shown.one(planning, 'Progress of planning customers anew after a change; null: done')),
    created_at: shown.createdAt,
    updated_at: shown.updatedAt,
  },
);

const readOnly = ['object', 'planning', 'created_at', 'updated_at'];

const step = stepWith(fields.described(fields.text(), `${INVOICE_SCHEDULES}; N is a number of days`, 'after_due:7'));
const steps = fields.list(step, MOST_STEPS);
const isDefault = fields.described(fields.boolean, IS_DEFAULT);

const newInvoiceCadence = object(
  {
    name: fields.required(fields.name),
    time_of_day: fields.withDefault(hour, 9),
    paused: fields.withDefault(fields.boolean, false),
    default: fields.withDefault(isDefault, false),
    steps: fields.required(steps),
  },
  { readOnly },
);

const invoiceCadenceChange = object(
  {
    name: fields.kept(fields.name),
    time_of_day: fields.resettable(hour, 9),
    paused: fields.resettable(fields.boolean, false),
    default: fields.resettable(isDefault, false),
    steps: fields.kept(steps),
  },
  { readOnly: ['id', ...readOnly] },
);

export const invoiceChasingCadences: Resource<ChasingCadence, 'id'> = {
  name: 'Invoice chasing cadence',
  area: 'collections',
  shape: invoiceCadence,
  row: ChasingCadence,
  idColumn: 'id',
  exists: condition("kind = 'invoice'"),
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentInvoiceCadence),
};

const path = '/invoice_chasing_cadences';
const resource = invoiceChasingCadences;
const present = presentInvoiceCadence;

export const invoiceChasingCadenceRoutes: Route[] = writtenForAll(
  createRoute({
    path,
    resource,
    summary: 'Create an invoice chasing cadence',
    body: newInvoiceCadence,
    present,
    example: {
      name: 'Large invoices',
      time_of_day: 9,
      default: true,
      steps: [
        { name: 'Before the due date', action: 'email', schedule: 'before_due:3' },
        { name: 'Call', action: 'phone', schedule: 'after_due:7' },
        { name: 'Again', action: 'email', schedule: 'every:10' },
      ],
    },
    command: (em, { caller, body }, now) => {
      const { name, paused, time_of_day: timeOfDay, default: isDefault } = body;
      const fields = { name, paused, timeOfDay, isDefault, steps: stepsOf(body.steps) };
      return createInvoiceCadence(em, { caller, fields }, now);
    },
  }),
  listRoute({ path, resource, summary: 'List invoice chasing cadences' }),
  readRoute({ path, resource, summary: 'Read an invoice chasing cadence' }),
  updateRoute({
    path,
    resource,
    summary: 'Change an invoice chasing cadence; invoices on it are planned anew',
    present,
    body: invoiceCadenceChange,
    example: { time_of_day: 10 },
    command: (em, { caller, id, body }, now) => {
      const { name, paused, time_of_day: timeOfDay, default: isDefault, steps } = body;
      const fields = { name, paused, timeOfDay, isDefault, steps: steps && stepsOf(steps) };
      return updateInvoiceCadence(em, { caller, id, fields }, now);
    },
  }),
  deleteRoute({
    path,
    resource,
    summary: 'Delete an invoice chasing cadence that no invoice names',
    command: deleteInvoiceCadence,
  }),
);

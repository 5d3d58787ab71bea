import {
  createInvoiceCadence,
  deleteInvoiceCadence,
  updateInvoiceCadence,
} from '../../../commands/catalog/invoiceCadences.ts';
import { presentInvoiceCadence } from '../../../present/catalog/invoiceCadence.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { stepsOf } from '../chasingCadences/schema.ts';
import { invoiceChasingCadences } from './resource.ts';
import { invoiceCadenceChange, newInvoiceCadence } from './schema.ts';

const path = '/invoice_chasing_cadences';
const resource = invoiceChasingCadences;
const present = presentInvoiceCadence;

export const invoiceChasingCadenceRoutes: Route[] = [
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
];

import {
  createChasingCadence,
  deleteChasingCadence,
  updateChasingCadence,
} from '../../../commands/catalog/chasingCadences.ts';
import { presentChasingCadence } from '../../../present/catalog/cadences.ts';
import { type Route, writtenForAll } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { cadenceDryRun } from './dryRun.ts';
import { cadencePreviewRoute } from './preview.ts';
import { chasingCadenceChange, chasingCadences, conditionsOf, newChasingCadence, stepsOf } from './resource.ts';

const path = '/chasing_cadences';
const present = presentChasingCadence;

const routes: Route[] = writtenForAll(
  createRoute({
    path,
    resource: chasingCadences,
    summary: 'Create a chasing cadence',
    body: newChasingCadence,
    present,
    dryRun: cadenceDryRun,
    example: {
      name: 'Standard',
      time_of_day: 9,
      assignment_mode: 'default',
      steps: [
        { name: 'First reminder', action: 'email', schedule: 'past_due_age:3' },
        { name: 'Call', action: 'phone', schedule: 'past_due_age:14' },
      ],
    },
    command: (em, { caller, body }, now) => {
      const { name, paused, time_of_day: timeOfDay, frequency, min_balance: minBalance } = body;
      const assignmentMode = body.assignment_mode;
      const assignmentConditions = conditionsOf(body.assignment_conditions ?? []);
      const days = { timeOfDay, frequency, runDays: body.run_days ?? [] };
      const assigned = { assignmentMode, assignmentConditions };
      const fields = { name, paused, minBalance, steps: stepsOf(body.steps), ...days, ...assigned };
      return createChasingCadence(em, { caller, fields }, now);
    },
  }),
  listRoute({ path, resource: chasingCadences, summary: 'List chasing cadences' }),
  readRoute({ path, resource: chasingCadences, summary: 'Read a chasing cadence' }),
  updateRoute({
    path,
    resource: chasingCadences,
    summary: 'Change a chasing cadence; customers that follow it are planned anew',
    present,
    dryRun: cadenceDryRun,
    body: chasingCadenceChange,
    example: { time_of_day: 10, min_balance: 25 },
    command: (em, { caller, id, body }, now) => {
      const { name, paused, time_of_day: timeOfDay, frequency, min_balance: minBalance } = body;
      const { run_days: runDays, assignment_mode: assignmentMode, assignment_conditions: conditions, steps } = body;
      const days = { timeOfDay, frequency, runDays: runDays === null ? [] : runDays };
      const assigned = {
        assignmentMode,
        assignmentConditions: conditions === undefined ? undefined : conditionsOf(conditions ?? []),
      };
      const fields = { name, paused, minBalance, steps: steps && stepsOf(steps), ...days, ...assigned };
      return updateChasingCadence(em, { caller, id, fields }, now);
    },
  }),
  cadencePreviewRoute,
  deleteRoute({
    path,
    resource: chasingCadences,
    summary: 'Delete a chasing cadence that no customer follows',
    command: deleteChasingCadence,
  }),
);

/** The same routes also exist under the name of cadences of customers. */
export const chasingCadenceRoutes = routes.map((route) =>
  Object.assign(route, { alias: route.path.replace(path, '/customer_chasing_cadences') }),
);

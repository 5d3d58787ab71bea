import { Refusal } from '../../../billing/refusal.ts';
import { createTask, deleteTask, updateTask } from '../../../commands/tasks/tasks.ts';
import { presentTask } from '../../../present/tasks/task.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { oneOf } from '../aliases.ts';
import { tasks } from './resource.ts';
import { newTask, taskChange } from './schema.ts';

const path = '/tasks';
const present = presentTask;

interface CompletionSent {
  complete?: boolean | undefined;
  completed_date?: Date | null | undefined;
  completed_by_user_id?: number | null | undefined;
}

function completionOf(body: CompletionSent) {
  const { complete, completed_date: completedAt, completed_by_user_id: completedByUserId } = body;
  return { complete, completedAt, completedByUserId };
}

export const taskRoutes: Route[] = [
  createRoute({
    path,
    resource: tasks,
    summary: 'Create a task about a customer',
    body: newTask,
    present,
    example: { customer: 1, name: 'Call about the overdue invoices', action: 'phone', due_date: 1_798_675_200 },
    command: (em, { caller, body }, now) => {
      const customerId = oneOf(body, 'customer', 'customer_id');
      if (customerId === null) throw new Refusal('parameter_missing', 'Customer missing', 'customer');
      const { name, action, user_id: userId = null, due_date: dueAt = null, outcome = null } = body;
      const completion = completionOf(body);
      const chaseStepId = body.chase_step_id ?? undefined;
      const more = { userId, dueAt, outcome, completion, chaseStepId };
      return createTask(em, { caller, customerId, name, action, ...more }, now);
    },
  }),
  listRoute({ path, resource: tasks, summary: 'List tasks' }),
  readRoute({ path, resource: tasks, summary: 'Read a task' }),
  updateRoute({
    path,
    resource: tasks,
    summary: 'Change or complete a task',
    body: taskChange,
    present,
    example: { complete: true },
    command: (em, { caller, id, body }, now) => {
      const { name, action, user_id: userId, due_date: dueAt, outcome, next } = body;
      const fields = { name, action, userId, dueAt, outcome };
      return updateTask(em, { caller, id, fields, completion: completionOf(body), next: next ?? null }, now);
    },
  }),
  deleteRoute({ path, resource: tasks, summary: 'Delete a task', command: deleteTask }),
];

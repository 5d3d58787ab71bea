import { Refusal } from '../../billing/refusal.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import { createTask, deleteTask, updateTask } from '../../commands/tasks/tasks.ts';
import { type TaskForeseen, tryTask } from '../../commands/tasks/trying.ts';
import { searchWithCustomer } from '../../db/queries/kernel/search.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { NAME_KEYS } from '../../db/schema/indexes.ts';
import { Task } from '../../db/schema/task.ts';
import { type Presented, unixOrNull } from '../../present/kernel/values.ts';
import { presentTask } from '../../present/tasks/task.ts';
import { documentationOf, documented } from '../body/documented.ts';
import * as fields from '../body/fields.ts';
import { object, oneOf } from '../body/request.ts';
import {
  column,
  filtered,
  filteredIfSet,
  type Resource,
  sorted,
  updatedBetween,
  where,
} from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import type { DryRun } from '../writing/dryRun.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';
import { customers } from './customers/resource.ts';

const task = shown.shape('Task', 'Task of a member about a customer', {
  id: shown.id('Id of the task', 8),
  name: shown.text('Description of the task', 'Call about the overdue invoices'),
  action: shown.choice('Kind of action', 'phone', 'letter', 'email', 'review'),
  customer: shown.id('Id of the customer'),
  customer_id: shown.id('Id of the customer, never expanded'),
  user_id: shown.unset(shown.id('Id of the member who should do it')),
  due_date: shown.nullable(shown.timestamp('Due date of the task; null: none')),
  complete: shown.flag('True: the task is done', false),
  completed_date: shown.unset(shown.timestamp('When it was done; null: it is open')),
  completed_by_user_id: shown.unset(
    shown.id('Id of the member who did it; null: nobody, a key of the account, or Perennial'),
  ),
  outcome: shown.unset(
    shown.text(
      'Outcome of the task, in words; if it has none when Perennial completes it: the reason, in the language of `Accept-Language`; null: none',
      'Spoke to Ann: she pays on Friday',
    ),
  ),
  next_task: shown.unset(shown.id('Id of the follow-up; null: none')),
  chase_step_id: shown.unset(shown.id('Id of the step of a chasing cadence that it carries out')),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const readOnly = ['id', 'object', 'next_task', 'created_at', 'updated_at'];

const taskActions = fields.choice('phone', 'letter', 'email', 'review');

const rest = {
  user_id: fields.id,
  due_date: fields.timestamp,
  completed_date: fields.described(fields.timestamp, 'When it was done; default: now; UNIX time in seconds'),
  completed_by_user_id: fields.described(
    fields.id,
    'Id of the member who did it; default: the member who completes it; null: nobody',
  ),
  outcome: fields.described(fields.text(1000), 'Outcome of the task, in words'),
};

const followUp = object({
  name: fields.described(fields.required(fields.name), 'Description of the follow-up'),
  action: fields.described(fields.required(taskActions), 'Kind of action'),
  due_date: fields.described(fields.timestamp, 'Due date of the follow-up; UNIX time in seconds'),
  user_id: fields.described(fields.id, 'Id of the member who should do it'),
});

const readFollowUp = followUp.transform(({ name, action, due_date: dueAt = null, user_id: userId = null }) => ({
  name,
  action,
  dueAt,
  userId,
}));

const next = (rule: string) =>
  fields.described(fields.nested(documented(readFollowUp, documentationOf(followUp))), rule);

const newTask = object(
  {
    name: fields.required(fields.name),
    action: fields.required(taskActions),
    customer: fields.described(fields.id, 'Id of the customer; required'),
    customer_id: fields.described(fields.id, 'Alias of `customer`'),
    complete: fields.withDefault(fields.boolean, false),
    chase_step_id: fields.id,
    next: next('Follow-up to create about the same customer'),
    ...rest,
  },
  { readOnly },
);

const taskChange = object(
  {
    name: fields.kept(fields.name),
    action: fields.kept(taskActions),
    complete: fields.resettable(fields.boolean, false),
    next: next('Follow-up to create about the same customer; a task takes one. It completes nothing'),
    ...rest,
  },
  { readOnly, fixed: ['customer', 'customer_id', 'chase_step_id'] },
);

export const tasks: Resource<Task, 'id'> = {
  name: 'Task',
  area: 'collections',
  shape: task,
  said: ['outcome'],
  row: Task,
  idColumn: 'id',
  searchable: searchWithCustomer(
    'task',
    { words: 'name', keys: NAME_KEYS, columns: { name: 'name' } },
    '`name`, and in the name and email of the customer',
  ),
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    action: filtered('action', taskActions),
    customer: filtered('customer_id', fields.id),
    user_id: filteredIfSet('user_id', fields.id),
    complete: filtered('complete', fields.boolean),
    held: {
      sort: null,
      filter: where(fields.boolean, (is) => condition(`held_invoice_id is ${is ? 'not ' : ''}null`)),
    },
    due_date: sorted('due_at'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentTask),
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
    next_task: relation(
      () => tasks,
      (row) => row.nextTaskId ?? null,
    ),
  },
};

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

const noId = { id: shown.unset(shown.id('Id of the task; always null, because it does not exist')) };

const foreseen = shown.value('TaskDryRun', 'Consequences of a change of a task; nothing is stored', {
  task: shown.one(task, 'Task as the request would leave it'),
  follow_up: shown.nullable(
    shown.one(shown.extended(task, 'UpcomingTask', noId), 'Follow-up that it would get; null: none'),
  ),
  solved_problem: shown.nullable(shown.id('Id of the problem that it would solve; null: none', 2)),
  asked_again: shown.nullable(
    shown.id(
      'Id of the invoice that would be asked for again, because its disputed lines are answered; null: none',
      77,
    ),
  ),
  next_reminder: shown.nullable(
    shown.timestamp('When the next step of a cadence asks the customer; null: none is planned'),
  ),
});

function presentForeseen({ task, followUp, ...more }: { task: Task } & TaskForeseen): Presented {
  return {
    // Its follow-up does not exist.
    task: { ...presentTask(task), ...(followUp ? { next_task: null } : {}) },
    follow_up: followUp && { ...presentTask(followUp), id: null },
    solved_problem: more.problemId,
    asked_again: more.askedAgainId,
    next_reminder: unixOrNull(more.nextReminderAt),
  };
}

const dryRunOfChange: DryRun<{ caller: Caller; id: number }, Task> = {
  kind: { shape: foreseen },
  isCounted: false,
  answer: async (em, { input: { caller, id }, change }) =>
    presentForeseen(await tryTask(em, { accountId: caller.account.id, id }, async () => (await change()).result)),
};

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
      const more = { userId, dueAt, outcome, completion, chaseStepId, next: body.next ?? null };
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
    dryRun: dryRunOfChange,
    example: { complete: true },
    command: (em, { caller, id, body }, now) => {
      const { name, action, user_id: userId, due_date: dueAt, outcome, next } = body;
      const fields = { name, action, userId, dueAt, outcome };
      return updateTask(em, { caller, id, fields, completion: completionOf(body), next: next ?? null }, now);
    },
  }),
  deleteRoute({ path, resource: tasks, summary: 'Delete a task', command: deleteTask }),
];

import { Task } from '../../../db/schema/task.ts';
import { presentTask } from '../../../present/tasks/task.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { taskActions } from './schema.ts';
import { task } from './shape.ts';

export const tasks: Resource<Task, 'id'> = {
  name: 'Task',
  shape: task,
  row: Task,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    action: filtered('action', taskActions),
    customer: filtered('customer_id', fields.id),
    user_id: filtered('user_id', fields.id),
    complete: filtered('complete', fields.boolean),
    due_date: sorted('due_at'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
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

import * as fields from '../../framework/shape.ts';

export const task = fields.shape('Task', 'Task of a member about a customer', {
  id: fields.id('Id of the task', 8),
  name: fields.text('Description of the task', 'Call about the overdue invoices'),
  action: fields.choice('Kind of action', 'phone', 'letter', 'email', 'review'),
  customer: fields.id('Id of the customer'),
  customer_id: fields.id('Id of the customer, never expanded'),
  user_id: fields.unset(fields.id('Id of the member who should do it')),
  due_date: fields.nullable(fields.timestamp('Due date of the task; null: none')),
  complete: fields.flag('True: the task is done', false),
  completed_date: fields.unset(fields.timestamp('When it was done; null: it is open')),
  completed_by_user_id: fields.unset(fields.id('Id of the member who did it')),
  outcome: fields.unset(
    fields.text(
      'Outcome of the task, in words; if it has none when Perennial completes it: the reason; null: none',
      'Spoke to Ann: she pays on Friday',
    ),
  ),
  next_task: fields.unset(fields.id('Id of the follow-up; null: none')),
  chase_step_id: fields.unset(fields.id('Id of the step of a chasing cadence that it carries out')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});

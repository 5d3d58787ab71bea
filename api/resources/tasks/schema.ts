import { documentationOf, documented } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['id', 'object', 'next_task', 'created_at', 'updated_at'];

export const taskActions = fields.choice('phone', 'letter', 'email', 'review');

const rest = {
  user_id: fields.id,
  due_date: fields.timestamp,
  completed_date: fields.described(fields.timestamp, 'When it was done; default: now; UNIX time in seconds'),
  completed_by_user_id: fields.id,
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

export const newTask = object(
  {
    name: fields.required(fields.name),
    action: fields.required(taskActions),
    customer: fields.described(fields.id, 'Id of the customer; required'),
    customer_id: fields.described(fields.id, 'Alias of `customer`'),
    complete: fields.withDefault(fields.boolean, false),
    chase_step_id: fields.described(fields.id, 'Id of the step of a chasing cadence that it carries out'),
    ...rest,
  },
  { readOnly },
);

export const taskChange = object(
  {
    name: fields.kept(fields.name),
    action: fields.kept(taskActions),
    complete: fields.resettable(fields.boolean, false),
    next: fields.described(
      fields.nested(documented(readFollowUp, documentationOf(followUp))),
      'Follow-up to create about the same customer; a task takes one. It completes nothing',
    ),
    ...rest,
  },
  { readOnly, fixed: ['customer', 'customer_id', 'chase_step_id'] },
);

import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['id', 'object', 'created_at', 'updated_at'];

export const taskActions = fields.choice('phone', 'letter', 'email', 'review');

const rest = {
  user_id: fields.id,
  due_date: fields.timestamp,
  completed_date: fields.described(fields.timestamp, 'When it was done; default: now; UNIX time in seconds'),
  completed_by_user_id: fields.id,
};

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
    ...rest,
  },
  { readOnly, fixed: ['customer', 'customer_id', 'chase_step_id'] },
);

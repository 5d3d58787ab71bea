import * as fields from '../../framework/shape.ts';

export const task = fields.shape('Task', 'What a person has to do about a customer', {
  id: fields.id('Its id', 8),
  name: fields.text('What is to be done', 'Call about the overdue invoices'),
  action: fields.choice('How', 'phone', 'letter', 'email', 'review'),
  customer: fields.id('The customer'),
  customer_id: fields.id('The same, and always the id'),
  user_id: fields.unset(fields.id('The member who is to do it')),
  due_date: fields.nullable(fields.timestamp('Until when')),
  complete: fields.flag('Whether it is done', false),
  completed_date: fields.unset(fields.timestamp('When it was done')),
  completed_by_user_id: fields.unset(fields.id('The member who did it')),
  chase_step_id: fields.unset(fields.id('The step of chasing that it comes from')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});

import * as fields from '../../framework/shape.ts';

const subject = fields.value('ProblemSubject', 'Object whose process is blocked', {
  object: fields.text('Type of the object; with the suffix `_pdf`, its PDF', 'subscription'),
  id: fields.integer('Id of the object', 1),
});

export const problem = fields.shape('Problem', 'Problem: a step that a process cannot take, with the reason', {
  id: fields.id('Id of the problem', 2),
  subject: fields.one(subject, 'Object whose process is blocked'),
  step: fields.text('Step that cannot be taken', 'renew'),
  message: fields.text('Reason why the step fails', 'The plan has no price'),
  money_at_risk: fields.nullable(fields.money('Amount that is not billed or collected', 49)),
  currency: fields.nullable(fields.currency('Currency of `money_at_risk`: three-letter ISO 4217 code')),
  since: fields.timestamp('When the problem began'),
  tries: fields.integer('Number of tries', 3),
  next_try_at: fields.unset(fields.timestamp('Time of the next try; null: none is planned')),
  updated_at: fields.updatedAt,
});

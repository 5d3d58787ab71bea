import * as fields from '../../framework/shape.ts';

const subject = fields.value('ProblemSubject', 'Whose process it is', {
  object: fields.text('Type of the object; with `_pdf` behind it, its PDF', 'subscription'),
  id: fields.integer('Id of the object', 1),
});

export const problem = fields.shape('Problem', 'A step that a process cannot take, and why', {
  id: fields.id('Its id', 2),
  subject: fields.one(subject, 'Whose process it is'),
  step: fields.text('What it is about to do', 'renew'),
  message: fields.text('Why it cannot', 'The plan has no price'),
  money_at_risk: fields.nullable(fields.number('How much is not billed or collected', 49)),
  currency: fields.nullable(fields.currency()),
  since: fields.timestamp('When it began'),
  tries: fields.integer('How often it was tried', 3),
  next_try_at: fields.unset(fields.timestamp('When it is tried again')),
  updated_at: fields.updatedAt,
});

import * as fields from '../../framework/shape.ts';

const subject = fields.value('TestClockSubject', 'Object of a step', {
  object: fields.text('Type of the object', 'subscription'),
  id: fields.integer('Id of the object', 1),
});

export const testClockStep = fields.shape('TestClockStep', 'Step that was taken while a test clock advanced', {
  id: fields.id('Id of the step', 12),
  advance: fields.integer('Number of the advance of the clock, from 1', 1),
  at: fields.timestamp('Time of the customer at the step'),
  subject: fields.one(subject, 'Object of the step'),
  did: fields.text('Description of the step', 'renewal 4: issued INV-00005 for 49.00 usd'),
});

import * as fields from '../../framework/shape.ts';

const subject = fields.value('TestClockSubject', 'What a step was about', {
  object: fields.text('Type of the object', 'subscription'),
  id: fields.integer('Id of the object', 1),
});

export const testClockStep = fields.shape('TestClockStep', 'Something that happened while a test clock advanced', {
  id: fields.id('Its id', 12),
  advance: fields.integer('Which of the advances of its clock, counted from 1', 1),
  at: fields.timestamp('Time of the customer'),
  subject: fields.one(subject, 'What it was about'),
  did: fields.text('What happened', 'renewal 4: issued INV-00005 for 49.00 usd'),
});

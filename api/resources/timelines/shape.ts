import * as fields from '../../framework/shape.ts';

const subject = fields.value('TimelineSubject', 'Object of a timeline entry', {
  object: fields.text('Type of the object', 'invoice'),
  id: fields.integer('Id of the object; for the look-up of a charge, the id of its attempt', 77),
});

export const timelineEntry = fields.shape('TimelineEntry', 'Past event or planned step of an object', {
  id: fields.text('Id of the entry', 'event-0000000000004711'),
  timestamp: fields.timestamp('Time of the event or of the planned step'),
  upcoming: fields.flag('True: it is planned; false: it has happened', false),
  what: fields.text('Description of the event or step', 'attempt 2 of 4'),
  why: fields.text('Reason of the event or step', 'soft decline insufficient_funds'),
  rule: fields.text('Type of the event, or the rule of the step', 'attempt'),
  subject: fields.one(subject, 'Object of the entry'),
  event: fields.unset(fields.id('Id of the event; null: the step is planned, or it was a notice by mail', 4711)),
});

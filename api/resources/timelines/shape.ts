import * as fields from '../../framework/shape.ts';

const subject = fields.value('TimelineSubject', 'What an entry of a timeline is about', {
  object: fields.text('Type of the object', 'invoice'),
  id: fields.integer('Id of the object; that of the attempt where a charge is looked up', 77),
});

export const timelineEntry = fields.shape(
  'TimelineEntry',
  'Something that happened, or that will unless something changes',
  {
    id: fields.text('Its id: that of an event, or of what is waited for', 'event-0000000000004711'),
    timestamp: fields.timestamp('When it happened, or will'),
    upcoming: fields.flag('Whether it is still to come', false),
    what: fields.text('What happened, or will', 'attempt 2 of 4'),
    why: fields.text('Why', 'soft decline insufficient_funds'),
    rule: fields.text('Type of the event, or the rule that waits', 'attempt'),
    subject: fields.one(subject, 'What it is about'),
    event: fields.unset(fields.id('The event, of what happened', 4711)),
  },
);

import * as fields from '../../framework/shape.ts';

const missing = fields.value('MissingNumbers', 'Consecutive numbers that no issued document has', {
  first: fields.text('The first of them', 'INV-00007'),
  last: fields.text('The last of them; the same for a single one', 'INV-00007'),
  count: fields.integer('How many', 1),
  reason: fields.choice(
    'Why: the document was deleted; it took another number; it was a draft that is gone; it went with its test clock; it is a draft; the series was moved on',
    'deleted',
    'changed',
    'draft_deleted',
    'clock_deleted',
    'draft',
    'skipped',
    'unknown',
  ),
  document: fields.nullable(fields.id('The document that has, or had, it', 77)),
});

const series = fields.value('AuditedSeries', 'A series of numbers under one prefix', {
  series: fields.choice('What it numbers', 'invoice', 'credit_note'),
  prefix: fields.text('Before each number', 'INV-'),
  first: fields.nullable(fields.text('Its first number; null: it has had none', 'INV-00001')),
  last: fields.nullable(fields.text('Its last number', 'INV-00042')),
  missing: fields.listOf(missing, 'All numbers between them that no issued document has'),
});

export const numberingAudit = fields.shape(
  'NumberingAudit',
  'The numbers of documents, and every one that is missing',
  {
    id: fields.id('That of the account'),
    series: fields.listOf(series, 'Each series, also under the prefixes that it had before'),
  },
);

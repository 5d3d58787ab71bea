import * as fields from '../../framework/shape.ts';

const missing = fields.value('MissingNumbers', 'Consecutive numbers that no issued document has, with one reason', {
  first: fields.text('First of these numbers', 'INV-00007'),
  last: fields.text('Last of these numbers; equal to `first` for a single number', 'INV-00007'),
  count: fields.integer('Count of these numbers', 1),
  reason: fields.choice(
    'Reason: `deleted`: the document was deleted; `changed`: it got another number; `draft_deleted`: its draft was deleted; `clock_deleted`: it was deleted with a test clock; `draft`: a draft has the number; `skipped`: the series was moved past it; `unknown`: a defect',
    'deleted',
    'changed',
    'draft_deleted',
    'clock_deleted',
    'draft',
    'skipped',
    'unknown',
  ),
  document: fields.nullable(
    fields.id('Id of the document that has or had the number; of a receipt, the id of its payment', 77),
  ),
});

const series = fields.value('AuditedSeries', 'Number series with one prefix', {
  series: fields.choice('Kind of the numbered documents', 'invoice', 'credit_note', 'receipt'),
  prefix: fields.text('Text before each number', 'INV-'),
  first: fields.nullable(fields.text('First number of the series; null: it has no numbers yet', 'INV-00001')),
  last: fields.nullable(fields.text('Last number of the series; null: it has no numbers yet', 'INV-00042')),
  missing: fields.listOf(missing, 'Numbers between `first` and `last` that no issued document has'),
});

export const numberingAudit = fields.shape('NumberingAudit', 'Audit of document numbers: every gap, with its reason', {
  id: fields.id('Id of the account'),
  series: fields.listOf(series, 'All number series, including those of earlier prefixes'),
});

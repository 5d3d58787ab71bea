import { type Explained, explainMissing, type NumberRange, prefixKey } from '../../billing/documents/numbering.ts';
import { seriesOf } from '../../commands/accounts/numberSeries.ts';
import { breather } from '../../db/fairness/breather.ts';
import type { EntityManager } from '../../db/orm.ts';
import { explanations, type GapFree, missingNumbers } from '../../db/queries/documents/numbers.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Numbering } from '../../db/schema/numbering.ts';
import { type AuditedSeries, presentAudited, presentMissing } from '../../present/accounts/account.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';

const missing = shown.value('MissingNumbers', 'Consecutive numbers that no issued document has, with one reason', {
  first: shown.text('First of these numbers', 'INV-00007'),
  last: shown.text('Last of these numbers; equal to `first` for a single number', 'INV-00007'),
  count: shown.integer('Count of these numbers', 1),
  reason: shown.choice(
    'Reason: `deleted`: the document was deleted; `changed`: it got another number; `draft_deleted`: its draft was deleted; `clock_deleted`: it was deleted with a test clock; `draft`: a draft has the number; `skipped`: the series was moved past it; `unknown`: a defect',
    'deleted',
    'changed',
    'draft_deleted',
    'clock_deleted',
    'draft',
    'skipped',
    'unknown',
  ),
  document: shown.nullable(
    shown.id('Id of the document that has or had the number; of a receipt, the id of its payment', 77),
  ),
});

const series = shown.value('AuditedSeries', 'Number series with one prefix', {
  series: shown.choice('Kind of the numbered documents', 'invoice', 'credit_note', 'receipt'),
  prefix: shown.text('Text before each number', 'INV-'),
  first: shown.nullable(shown.text('First number of the series; null: it has no numbers yet', 'INV-00001')),
  last: shown.nullable(shown.text('Last number of the series; null: it has no numbers yet', 'INV-00042')),
  missing: shown.listOf(missing, 'Numbers between `first` and `last` that no issued document has'),
});

const numberingAudit = shown.shape('NumberingAudit', 'Audit of document numbers: every gap, with its reason', {
  id: shown.id('Id of the account'),
  series: shown.listOf(series, 'All number series, including those of earlier prefixes'),
});

/** The series that must have no unexplained gaps. Numbers of other series only identify. */
const gapFree: readonly GapFree[] = ['credit_note', 'invoice', 'receipt'];

export const numberingRoutes: Route[] = [
  {
    method: 'GET',
    path: '/numbering/audit',
    operationId: 'auditNumbering',
    permission: 'reports.read',
    ofAllCustomers: true,
    summary: 'Audit document numbers: first, last and every gap, each with its reason',
    answer: { statusCode: 200, kind: { shape: numberingAudit } },
    handle: async ({ em, caller }) => {
      const accountId = caller.account.id;
      const rows = await seriesOf(em, accountId);
      const found: Found[] = [];
      for (const series of gapFree) {
        const row = rows.find((one) => one.series === series);
        if (row) found.push(...(await findMissing(em, accountId, { ...row, series })));
      }
      return { statusCode: 200, json: null, parts: auditText(accountId, found) };
    },
  },
];

/** A series under one prefix, with its missing numbers and what explains them. */
interface Found {
  audited: AuditedSeries;
  missing: readonly NumberRange[];
  known: readonly Explained[];
}

/** The missing numbers of a series, for each prefix that it has or had. */
async function findMissing(
  em: EntityManager,
  accountId: number,
  { series, prefix, first, next, past }: Plain<Numbering> & { series: GapFree },
): Promise<Found[]> {
  const missing = Map.groupBy(await missingNumbers(em, accountId, series), (range) => range.prefix);
  const known = missing.size === 0 ? [] : await explanations(em, accountId, series);
  const reasons = Map.groupBy(known, (explained) => explained.prefix);
  return [{ prefix, first, next }, ...past].map((one) => {
    const key = prefixKey(one.prefix);
    return { audited: { series, ...one }, missing: missing.get(key) ?? [], known: reasons.get(key) ?? [] };
  });
}

/** The JSON text of the audit, in parts: a series can miss hundreds of thousands of numbers. Yields to other requests in between. */
async function* auditText(accountId: number, found: readonly Found[]): AsyncGenerator<string, void> {
  const breathe = breather();
  yield `{"id":${accountId},"object":"numbering_audit","series":[`;
  for (const [index, { audited, missing, known }] of found.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(presentAudited(audited)).slice(0, -1)},"missing":[`;
    let separator = '';
    for (const range of explainMissing(missing, known)) {
      await breathe();
      yield separator + JSON.stringify(presentMissing(audited, range));
      separator = ',';
    }
    yield ']}';
  }
  yield ']}';
}

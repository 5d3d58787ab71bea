import { explainMissing, prefixKey } from '../../../billing/numbering.ts';
import { seriesOf } from '../../../commands/accounts/numberSeries.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { explanations, missingNumbers } from '../../../db/queries/audit/numbering.ts';
import type { GapFree } from '../../../db/queries/documents/numberRanges.ts';
import type { Plain } from '../../../db/queries/kernel/plain.ts';
import type { Numbering } from '../../../db/schema/numbering.ts';
import { presentAudited } from '../../../present/accounts/numbering.ts';
import { type Route, reply } from '../../framework/route.ts';
import { numberingAudit } from './shape.ts';

/** The series that must have no unexplained gaps. Numbers of other series only identify. */
const gapFree: readonly GapFree[] = ['credit_note', 'invoice'];

export const numberingRoutes: Route[] = [
  {
    method: 'GET',
    path: '/numbering/audit',
    operationId: 'auditNumbering',
    summary: 'Audit document numbers: first, last and every gap, each with its reason',
    answer: { statusCode: 200, kind: { shape: numberingAudit } },
    handle: async ({ em, caller }) => {
      const accountId = caller.account.id;
      const rows = await seriesOf(em, accountId);
      const audited = [];
      for (const series of gapFree) {
        const row = rows.find((one) => one.series === series);
        if (row) audited.push(...(await audit(em, accountId, { ...row, series })));
      }
      return reply(200, { id: accountId, object: 'numbering_audit', series: audited });
    },
  },
];

/** The audit of a series: one entry for each prefix that it has or had. */
async function audit(
  em: EntityManager,
  accountId: number,
  { series, prefix, first, next, past }: Plain<Numbering> & { series: GapFree },
) {
  const missing = Map.groupBy(await missingNumbers(em, accountId, series), (range) => range.prefix);
  const known = missing.size === 0 ? [] : await explanations(em, accountId, series);
  const reasons = Map.groupBy(known, (explained) => explained.prefix);
  return [{ prefix, first, next }, ...past].map((one) => {
    const told = explainMissing(missing.get(prefixKey(one.prefix)) ?? [], reasons.get(prefixKey(one.prefix)) ?? []);
    return presentAudited({ series, ...one }, told);
  });
}

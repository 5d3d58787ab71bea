import { explainMissing } from '../../../billing/numbering.ts';
import { seriesOf } from '../../../commands/numberSeries.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { explanations, missingNumbers, type NumberSeries } from '../../../db/queries/numberingAudit.ts';
import { presentAudited } from '../../../present/numbering.ts';
import { type Route, reply } from '../../route.ts';
import { numberingAudit } from './shape.ts';

/** Series without gaps; those of others are for telling apart alone. */
const GAP_FREE = new Set(['invoice', 'credit_note']);

export const numberingRoutes: Route[] = [
  {
    method: 'GET',
    path: '/numbering/audit',
    operationId: 'auditNumbering',
    summary: 'First, last and every missing number of documents, each with its reason',
    answer: { statusCode: 200, kind: { shape: numberingAudit } },
    handle: async ({ em, caller }) => {
      const accountId = caller.account.id;
      const rows = (await seriesOf(em, accountId)).filter(({ series }) => GAP_FREE.has(series));
      const all = rows.flatMap(({ series, prefix, first, next, past }) => [
        { series, prefix, first, next },
        ...past.map((one) => ({ series, ...one })),
      ]);
      const audited = await Promise.all(all.map((one) => audit(em, accountId, one)));
      return reply(200, { id: accountId, object: 'numbering_audit', series: audited });
    },
  },
];

async function audit(em: EntityManager, accountId: number, series: NumberSeries) {
  const missing = await missingNumbers(em, accountId, series);
  const reasons = missing.length === 0 ? [] : await explanations(em, accountId, series);
  return presentAudited(series, explainMissing(missing, reasons));
}

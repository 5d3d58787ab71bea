import type { Presented } from '../../../billing/json.ts';
import type { Refusal } from '../../../billing/refusal.ts';
import { recordLocked } from '../../../commands/subscriptions/usage/correcting.ts';
import { recordUsage, type UsageAnswer } from '../../../commands/subscriptions/usage/recording.ts';
import { failpoint } from '../../../db/failpoint.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { readingOf } from '../../../db/queries/kernel/reading.ts';
import type { ReportedUsage } from '../../../db/queries/usage/recording.ts';
import { UsageRecord } from '../../../db/schema/usage.ts';
import { presentUsage } from '../../../present/subscriptions/usage.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathId, type Reply, type Route, reply, withBody } from '../../framework/route.ts';
import { listRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { billsOf, newUsage, newUsageBatch, reportOf, usageBatch, usages } from './resource.ts';
import { usageTotalRoutes } from './totals.ts';

const path = '/subscriptions/:subscription_id/usage';

export const usageRoutes: Route[] = [
  withBody({
    method: 'POST',
    path,
    operationId: 'createUsage',
    permission: 'subscriptions.write',
    summary: 'Report usage of a metered plan; a key that was reported before changes nothing',
    body: newUsage,
    example: { quantity: 12.5, idempotency_key: 'call-8c1f' },
    answer: { statusCode: 201, kind: usages },
    handle: (request, body) =>
      answerReports(request, [reportOf(body)], { statusCode: 201, answer: ([shown]) => oneOrRefusal(shown) }),
  }),
  withBody({
    method: 'POST',
    path: `${path}/batch`,
    operationId: 'createUsageBatch',
    permission: 'subscriptions.write',
    summary: 'Report usage in a batch of at most 1,000; each report is judged alone and has its own answer',
    body: newUsageBatch,
    example: { usage: [{ quantity: 3, idempotency_key: 'call-8c20' }] },
    answer: { statusCode: 200, kind: { shape: usageBatch } },
    handle: (request, body) =>
      answerReports(request, (body.usage ?? []).map(reportOf), {
        statusCode: 200,
        answer: (all) => ({ results: all.map(resultOf) }),
      }),
  }),
  listRoute({ path, resource: usages, summary: 'List the usage of a subscription, latest first' }),
  ...usageTotalRoutes,
];

/** A recorded report as it is shown, or why it was refused. */
type ShownAnswer = { shown: Presented; isNew: boolean } | { refusal: Refusal };

interface ReportReply {
  statusCode: 200 | 201;
  /** The body of the answer. */
  answer(shown: readonly ShownAnswer[]): Presented;
}

/**
 * Records reports. Without corrections and while the subscription has not ended, that is one statement without a transaction of its own,
 * unless the request has an Idempotency-Key.
 */
async function answerReports(
  request: ApiRequest,
  reports: readonly ReportedUsage[],
  { statusCode, answer }: ReportReply,
): Promise<Reply> {
  const { caller, em, deps } = request;
  const asked = { caller, id: pathId(request, 'Subscription', 'subscription_id'), reports };
  const answers = request.idempotencyKey === null ? await recordUsage(em, asked, deps.systemNow()) : null;
  if (answers) {
    await failpoint('usage.recorded');
    deps.poke();
    return reply(statusCode, answer(await shownAnswers(em, asked, answers)));
  }
  return write(request, {
    statusCode,
    command: async (em, _, systemNow) => {
      const recorded = (await recordUsage(em, asked, systemNow)) ?? (await recordLocked(em, asked, systemNow));
      return answer(await shownAnswers(em, asked, recorded));
    },
    present: (body) => body,
  });
}

/** Presents answers. Records of earlier reports can be billed already, and new ones of a subscription that has ended. */
async function shownAnswers(
  em: EntityManager,
  { caller, id }: { caller: ApiRequest['caller']; id: number },
  answers: readonly UsageAnswer[],
): Promise<ShownAnswer[]> {
  const reading = readingOf(em, caller.account.id);
  const maybeBilled = answers.flatMap((answer) => ('record' in answer && answer.mayBeBilled ? answer.record.id : []));
  const rows = await reading.byId(UsageRecord, maybeBilled);
  const bills = await billsOf(reading, [...rows.values()]);
  return answers.map((answer) => {
    if ('refusal' in answer) return answer;
    const { record, isNew } = answer;
    const bill = bills.get(rows.get(record.id)?.totalId ?? 0) ?? null;
    return { shown: presentUsage(record, id, bill), isNew };
  });
}

function oneOrRefusal(answer: ShownAnswer | undefined): Presented {
  if (!answer) throw new Error('a report without an answer');
  if ('refusal' in answer) throw answer.refusal;
  return answer.shown;
}

function resultOf(answer: ShownAnswer): Presented {
  if ('shown' in answer) return { status: answer.isNew ? 'created' : 'repeated', usage: answer.shown };
  const { code, message, param = '' } = answer.refusal;
  return { status: 'refused', error: { code, message, param } };
}

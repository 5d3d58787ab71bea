import type { BlockList } from 'node:net';
import type { Context } from 'koa';
import { Refusal } from '../../../billing/refusal.ts';
import { answerEstimate } from '../../../commands/estimates/answers.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import { clientAddress } from '../../limits/clientAddress.ts';
import { readForm } from '../kit/posted.ts';
import type { Opened } from './address.ts';
import type { AnswerForm } from './answerForm.ts';

export interface EstimateAnswerDeps extends Pick<ApiDeps, 'em' | 'poke' | 'systemNow'> {
  proxies: BlockList;
}

/** Records the customer's answer to an estimate. Returns the reason when it is refused. */
export async function takeAnswer(
  ctx: Context,
  deps: EstimateAnswerDeps,
  opened: Opened,
): Promise<AnswerForm['refused']> {
  const form = await readForm(ctx);
  const initials = form.get('initials') ?? '';
  const answer = form.get('answer');
  const declined = form.get('reason') ?? '';
  if ([...form].flat().some((text) => text.includes('\0'))) return { reason: 'answer', initials: '', declined: '' };
  if (answer !== 'approve' && answer !== 'decline') return { reason: 'answer', initials, declined };
  const ip = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), deps.proxies);
  const { account, id } = opened;
  const said = {
    account,
    id,
    isApproved: answer === 'approve',
    initials,
    reason: declined,
    ip,
    seen: form.get('seen') ?? '',
  };
  const userAgent = ctx.get('User-Agent') || null;
  try {
    await inTransaction(deps.em, (em) => answerEstimate(em, { ...said, userAgent }, deps.systemNow()));
    deps.poke();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reason: reasons.get(error.param ?? '') ?? 'late', initials, declined };
  }
}

const reasons = new Map<string, 'initials' | 'changed'>([
  ['initials', 'initials'],
  ['seen', 'changed'],
]);

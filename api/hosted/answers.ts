import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { Context } from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import { answerEstimate } from '../../commands/estimateAnswers.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiDeps } from '../deps.ts';
import { clientAddress } from '../oauth/clientAddress.ts';
import type { Opened } from './address.ts';
import type { AnswerForm } from './answerForm.ts';

const MOST_CHARACTERS = 4096;

export interface Answering extends Pick<ApiDeps, 'em' | 'poke' | 'systemNow'> {
  proxies: BlockList;
}

/** Takes what a customer says to an estimate; answers why it could not be taken. */
export async function takeAnswer(ctx: Context, deps: Answering, opened: Opened): Promise<AnswerForm['refused']> {
  const form = await readForm(ctx.req);
  const initials = form.get('initials') ?? '';
  const answer = form.get('answer');
  if (answer !== 'approve' && answer !== 'decline') return { reason: 'initials', initials };
  const ip = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), deps.proxies);
  const { account, id } = opened;
  const said = { account, id, isApproved: answer === 'approve', initials, ip, seen: form.get('seen') ?? '' };
  const userAgent = ctx.get('User-Agent') || null;
  try {
    await inTransaction(deps.em, (em) => answerEstimate(em, { ...said, userAgent }, deps.systemNow()));
    deps.poke();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reason: reasons.get(error.param ?? '') ?? 'late', initials };
  }
}

const reasons = new Map<string, 'initials' | 'changed'>([
  ['initials', 'initials'],
  ['seen', 'changed'],
]);

/** What is longer than any form of ours is none. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) {
    if (text.length <= MOST_CHARACTERS) text += String(chunk);
  }
  return new URLSearchParams(text.length > MOST_CHARACTERS ? '' : text);
}

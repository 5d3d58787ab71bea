import type { Context, Middleware } from 'koa';
import { readProviderConfiguration } from '../../billing/mail/providers.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { TextSender } from '../../commands/ports/ports.ts';
import { receiveTextEvent } from '../../commands/texts/events.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { NoRoute } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';
import { headersOf, rawBodyReader } from './kit/posted.ts';

const PREFIX = '/sms_events/';
const FORM = 'application/x-www-form-urlencoded';
/** Maximum size of an event: a text has 1,600 characters, and a hundred short fields. */
const MOST_BYTES = 64 * 1024;

const readBody = rawBodyReader({ types: [FORM], mostBytes: MOST_BYTES });

/**
 * Receives events of providers of texts at `/sms_events/:configuration`: reports about texts, and messages of people. The signature is checked
 * first. An event is stored once, and takes its effect before it is answered.
 */
export function smsEvents(deps: ApiDeps): Middleware<ApiState> {
  const limit = createVisitorLimit(deps);
  return async (ctx, next) => {
    if (!ctx.path.startsWith(PREFIX)) return next();
    ctx.state.page = `${PREFIX}:configuration`;
    if (ctx.method !== 'POST') return next();
    limit.refuseOver(ctx, 'sms_event');
    const { accountId, sender } = await addressee(deps, ctx.path.slice(PREFIX.length));
    const event = await readEvent(deps, ctx, sender).catch(async (error: unknown) => {
      if (error instanceof Refusal) await limit(ctx, 'sms_event');
      throw error;
    });
    const received = { accountId, configuration: sender.name, event };
    const store = () => inTransaction(deps.em, (em) => receiveTextEvent(em, received, deps.systemNow()));
    await withAccount(accountId, store);
    ctx.type = 'text/xml';
    ctx.body = '<Response/>';
  };
}

/** The account and the provider of an address. Throws NoRoute for an unknown one. */
async function addressee(
  { textProviders }: Pick<ApiDeps, 'textProviders'>,
  configuration: string,
): Promise<{ accountId: number; sender: TextSender }> {
  const named = readProviderConfiguration(configuration);
  const found = named && (await withAccount(named.accountId, () => textProviders.find(named.accountId, named.id)));
  if (!named || found?.sender.name !== configuration) throw new NoRoute('There is no such message provider');
  return { accountId: named.accountId, sender: found.sender };
}

async function readEvent({ publicUrl }: Pick<ApiDeps, 'publicUrl'>, ctx: Context, sender: TextSender) {
  const body = await readBody(ctx);
  return sender.readEvent({ url: `${publicUrl}${ctx.path}${ctx.search}`, headers: headersOf(ctx), body });
}

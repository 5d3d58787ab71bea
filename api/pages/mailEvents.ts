import type { Middleware } from 'koa';
import { readProviderConfiguration } from '../../billing/mail/providers.ts';
import { Refusal } from '../../billing/refusal.ts';
import { receiveMailEvent } from '../../commands/bounces/events.ts';
import type { FoundMailProvider, MailEvent } from '../../commands/ports/ports.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { NoRoute } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import { withoutPlace } from '../limits/admission.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';
import { headersOf, rawBodyReader } from './kit/posted.ts';

const PREFIX = '/mail_events/';
/** Amazon SNS sends JSON as text/plain. */
const TYPES = ['application/json', 'text/plain', 'message/rfc822'];
/** Maximum size of a request: SendGrid sends up to 768 KiB, and a report of a mail server may contain the mail. */
const MOST_BYTES = 1024 * 1024;

const readBody = rawBodyReader({ types: TYPES, mostBytes: MOST_BYTES });

/**
 * Receives events about mails at `/mail_events/:configuration`: bounces and complaints. The sender is authenticated first. Each event is
 * stored once, and takes its effect before the request is answered. Forged events are limited for each configuration on its own, because a
 * provider sends the events of all accounts from the same network.
 */
export function mailEvents(deps: ApiDeps): Middleware<ApiState> {
  const limit = createVisitorLimit(deps);
  return async (ctx, next) => {
    if (!ctx.path.startsWith(PREFIX)) return next();
    ctx.state.page = `${PREFIX}:configuration`;
    if (ctx.method !== 'POST') return next();
    const configuration = ctx.path.slice(PREFIX.length);
    limit.refuseOver(ctx, 'mail_event', configuration);
    const { accountId, provider } = await addressee(deps, configuration);
    const message = { headers: headersOf(ctx), body: await readBody(ctx) };
    const events = await withoutPlace(() => provider.readEvents(message)).catch(async (error: unknown) => {
      if (error instanceof Refusal) await limit(ctx, 'mail_event', configuration);
      throw error;
    });
    for (const event of events) await store(deps, { accountId, configuration: provider.name, event });
    if (events.length > 0) deps.poke();
    ctx.body = { received: events.length };
  };
}

function store(deps: ApiDeps, received: { accountId: number; configuration: string; event: MailEvent }): Promise<void> {
  return withAccount(received.accountId, () =>
    inTransaction(deps.em, (em) => receiveMailEvent(em, received, deps.systemNow())),
  );
}

/** The account and the provider of an address. Throws NoRoute for an unknown one. */
async function addressee(
  { mailProviders }: Pick<ApiDeps, 'mailProviders'>,
  configuration: string,
): Promise<{ accountId: number; provider: FoundMailProvider }> {
  const named = readProviderConfiguration(configuration);
  const provider = named && (await withAccount(named.accountId, () => mailProviders.find(named.accountId, named.id)));
  if (!named || provider?.name !== configuration) throw new NoRoute('There is no such mail provider');
  return { accountId: named.accountId, provider };
}

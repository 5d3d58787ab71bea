import type { Context, Middleware } from 'koa';
import { configurationName } from '../../billing/mail/providers.ts';
import { Refusal } from '../../billing/refusal.ts';
import { receiveEvent } from '../../commands/charges/gatewayEvents.ts';
import { lookAtSources, recordSource } from '../../commands/charges/sourceEvents.ts';
import type { Gateway, GatewayEvent } from '../../commands/ports/ports.ts';
import { Account } from '../../db/schema/account.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { NoRoute } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';
import { headersOf, rawBodyReader } from './kit/posted.ts';

const PREFIX = '/gateway_events/';
/** The name of a gateway, the id of an account, and, for all but the test gateway, the id of its merchant account. */
const CONFIGURATION = /^([a-z]{1,16})_(\d{1,9})(?:_(\d{1,10}))?$/;
/** Maximum size of an event: those of gateways have a few KiB. */
const MOST_BYTES = 512 * 1024;

const readBody = rawBodyReader({ types: ['application/json'], mostBytes: MOST_BYTES });

/**
 * Receives events of gateways at `/gateway_events/:configuration`. The signature is checked first. An event is stored once and answered;
 * its process looks at the gateway later.
 */
export function gatewayEvents(deps: ApiDeps): Middleware<ApiState> {
  const limit = createVisitorLimit(deps);
  return async (ctx, next) => {
    if (!ctx.path.startsWith(PREFIX)) return next();
    ctx.state.page = `${PREFIX}:configuration`;
    if (ctx.method !== 'POST') return next();
    limit.refuseOver(ctx, 'gateway_event');
    const to = await addressee(deps, ctx.path.slice(PREFIX.length));
    const body = await readBody(ctx);
    const event = await readEvent(to, { ctx, body }).catch(async (error: unknown) => {
      if (error instanceof Refusal) await limit(ctx, 'gateway_event');
      throw error;
    });
    const { accountId, configuration, gateway } = to;
    const received = { accountId, configuration, gateway: gateway.name, event, body: event.about ? '' : body };
    await withAccount(accountId, () => followSources(deps, to, event));
    const store = () => inTransaction(deps.em, (em) => receiveEvent(em, received, deps.systemNow()));
    if (await withAccount(accountId, store)) deps.poke();
    ctx.body = { received: true };
  };
}

/**
 * Reads the stored sources that an event is about at the gateway, and records them. If the gateway does not answer, the event is not taken: the gateway
 * sends it again. The body of such an event has names and addresses, and is not stored.
 */
async function followSources(deps: ApiDeps, { accountId, gateway }: Addressee, { about }: GatewayEvent): Promise<void> {
  if (!about) return;
  const signal = AbortSignal.timeout(Math.min(deps.gatewayDeadline, LONGEST_LOOK_MILLISECONDS));
  const looked = await lookAtSources(deps.em, { accountId, gateway, about, signal }).catch(() => null);
  if (!looked) throw new Refusal('gateway_unavailable', 'The gateway has not answered: send the event again');
  for (const one of looked) {
    const isRecorded = await inTransaction(deps.em, (em) => recordSource(em, one, deps.systemNow()));
    if (!isRecorded) throw new Refusal('busy', 'The payment source has changed meanwhile: send the event again');
  }
}

/** Gateways wait some ten seconds for the answer to an event. */
const LONGEST_LOOK_MILLISECONDS = 8000;

interface Addressee {
  accountId: number;
  configuration: string;
  gateway: Gateway;
}

/** The account and the gateway that a configuration in a URL names. Throws NoRoute if there is none, or if it reads no events. */
async function addressee(
  { gateways, em }: Pick<ApiDeps, 'gateways' | 'em'>,
  configuration: string,
): Promise<Addressee> {
  const [, name = '', account = '', merchant] = CONFIGURATION.exec(configuration) ?? [];
  const accountId = Number(account);
  const own = merchant ? configurationName({ gateway: name, id: Number(merchant) }) : name;
  const gateway = await withAccount(accountId, async () => {
    // A merchant account is found only in its account; a built-in gateway needs none.
    const isKnown = merchant !== undefined || (await em.fork().count(Account, { id: accountId })) > 0;
    return isKnown ? gateways.find(accountId, own) : null;
  });
  if (!gateway?.readEvent) throw new NoRoute('There is no such gateway configuration');
  return { accountId, configuration, gateway };
}

async function readEvent(
  { configuration, gateway }: Addressee,
  { ctx, body }: { ctx: Context; body: string },
): Promise<GatewayEvent> {
  const event = gateway.readEvent?.({ configuration, headers: headersOf(ctx), body });
  if (!event) throw new Refusal('resource_missing', 'The gateway sends no events');
  return event;
}

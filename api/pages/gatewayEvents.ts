import type { Context, Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { configurationName } from '../../billing/gatewayConfiguration.ts';
import { Refusal } from '../../billing/refusal.ts';
import { receiveEvent } from '../../commands/charges/gatewayEvents.ts';
import type { Gateway, GatewayEvent } from '../../commands/ports.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { NoRoute } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import { createVisitorLimit } from '../limits/visitorLimit.ts';

const PREFIX = '/gateway_events/';
/** The name of a gateway, the id of an account, and, for all but the test gateway, the id of its merchant account. */
const CONFIGURATION = /^([a-z]{1,16})_(\d{1,9})(?:_(\d{1,10}))?$/;
/** Maximum size of an event: those of gateways have a few KiB. */
const MOST_BYTES = 512 * 1024;

/** Reads the body as it was sent, because its signature covers every byte. */
const readBody = koaBody({
  multipart: false,
  json: false,
  urlencoded: false,
  text: true,
  textTypes: ['json'],
  textLimit: MOST_BYTES,
  onError: (error, { req }) => {
    req.unpipe();
    req.resume();
    const type: unknown = Reflect.get(error, 'type');
    throw new Refusal(
      type === 'entity.too.large' ? 'An event must be smaller than 512 KiB' : 'The event could not be read',
    );
  },
});

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
    const body = await bodyOf(ctx);
    const event = await readEvent(to, { ctx, body }).catch(async (error: unknown) => {
      if (error instanceof Refusal) await limit(ctx, 'gateway_event');
      throw error;
    });
    const { accountId, configuration, gateway } = to;
    const received = { accountId, configuration, gateway: gateway.name, event, body };
    const store = () => inTransaction(deps.em, (em) => receiveEvent(em, received, deps.systemNow()));
    if (await withAccount(accountId, store)) deps.poke();
    ctx.body = { received: true };
  };
}

interface Addressee {
  accountId: number;
  configuration: string;
  gateway: Gateway;
}

/** The account and the gateway of an address. Throws NoRoute for an unknown one. */
async function addressee({ gateways }: Pick<ApiDeps, 'gateways'>, configuration: string): Promise<Addressee> {
  const [, name = '', account = '', merchant] = CONFIGURATION.exec(configuration) ?? [];
  const accountId = Number(account);
  const own = merchant ? configurationName({ gateway: name, id: Number(merchant) }) : name;
  const gateway = await withAccount(accountId, () => gateways.find(accountId, own));
  if (!gateway?.readEvent) throw new NoRoute('There is no such gateway configuration');
  return { accountId, configuration, gateway };
}

async function bodyOf(ctx: Context): Promise<string> {
  if (ctx.is('application/json') === false) throw new Refusal('Content-Type of an event must be application/json');
  await readBody(ctx, async () => undefined);
  const read: unknown = ctx.request.body;
  return typeof read === 'string' ? read : '';
}

async function readEvent(
  { configuration, gateway }: Addressee,
  { ctx, body }: { ctx: Context; body: string },
): Promise<GatewayEvent> {
  const headers = Object.entries(ctx.headers).map(([name, value]) => [name, value?.toString()] as const);
  const event = gateway.readEvent?.({ configuration, headers: Object.fromEntries(headers), body });
  if (!event) throw new Refusal('The gateway sends no events');
  return event;
}

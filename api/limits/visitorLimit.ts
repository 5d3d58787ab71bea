import type { Context } from 'koa';
import { hashSecret } from '../../commands/kernel/secrets.ts';
import { countOneMore } from '../../db/queries/accounts/throttle.ts';
import { asSystem } from '../../db/tenant.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { TooManyVisits } from '../framework/errors.ts';
import { clientAddress, networkOf, proxiesOf } from './clientAddress.ts';

/**
 * Maximum number of requests without a valid key from one address, and the period in seconds. A whole office shares one address, and a mail
 * service has only a few.
 */
const limits = {
  document: { most: 300, seconds: 60 },
  statement: { most: 60, seconds: 60 },
  answer: { most: 30, seconds: 600 },
  // Mail services send the clicks of all their readers from a few addresses.
  reminder: { most: 300, seconds: 60 },
  subscription: { most: 60, seconds: 60 },
  source: { most: 60, seconds: 600 },
  payment: { most: 60, seconds: 600 },
  portal: { most: 300, seconds: 60 },
  portal_form: { most: 120, seconds: 600 },
  sign_up: { most: 60, seconds: 600 },
  page_token: { most: 60, seconds: 600 },
  file: { most: 300, seconds: 60 },
  picture: { most: 600, seconds: 60 },
  gateway_event: { most: 300, seconds: 60 },
  sms_event: { most: 300, seconds: 60 },
  mail_event: { most: 300, seconds: 60 },
  invalid_credential: { most: 300, seconds: 60 },
} as const;

type Visited = keyof typeof limits;

type Visitor = Pick<Context, 'req' | 'get'>;

export interface VisitorLimit {
  /** Counts a request. `of`: object whose visits are counted on their own. Throws TooManyVisits when it exceeds the limit. */
  (ctx: Visitor, visited: Visited, of?: string): Promise<void>;
  /** Throws TooManyVisits if this process knows that the address is over its limit. Counts nothing and runs no statement. */
  refuseOver(ctx: Visitor, visited: Visited, of?: string): void;
}

/** Maximum number of addresses that are remembered as over their limit. */
const MOST_REMEMBERED = 10_000;

/** Counts requests without a key over all processes. For an address over its limit it runs no statement until the period ends. */
export function createVisitorLimit(deps: Pick<ApiDeps, 'em' | 'systemNow' | 'trustedProxies'>): VisitorLimit {
  const proxies = proxiesOf(deps.trustedProxies);
  /** Epoch milliseconds until which an address is over its limit. */
  const over = new Map<string, number>();
  const keyOf = (ctx: Visitor, visited: Visited, of: string | undefined) => {
    const from = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), proxies);
    return hashSecret([`visit:${visited}:${networkOf(from)}`, ...(of === undefined ? [] : [of])].join(':'));
  };
  const refuseKnown = (key: string, now: Date) => {
    const left = (over.get(key) ?? 0) - now.getTime();
    if (left > 0) throw new TooManyVisits(Math.ceil(left / 1000));
    over.delete(key);
  };
  const limit = async (ctx: Visitor, visited: Visited, of?: string) => {
    const { most, seconds } = limits[visited];
    const now = deps.systemNow();
    const key = keyOf(ctx, visited, of);
    refuseKnown(key, now);
    const { count, secondsLeft } = await asSystem(() => countOneMore(deps.em.fork(), { key, seconds }, now));
    if (count <= most) return;
    if (over.size >= MOST_REMEMBERED) over.clear();
    over.set(key, now.getTime() + secondsLeft * 1000);
    throw new TooManyVisits(secondsLeft);
  };
  const refuseOver = (ctx: Visitor, visited: Visited, of?: string) => {
    if (over.size > 0) refuseKnown(keyOf(ctx, visited, of), deps.systemNow());
  };
  return Object.assign(limit, { refuseOver });
}

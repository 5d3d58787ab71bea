import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { Environment } from '../../../billing/environments.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { SignedIn } from '../../../db/queries/accounts/members.ts';
import type { FoundSession, Membership } from '../../../db/queries/accounts/people.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';

/** Where the OAuth pages and endpoints of an environment are. */
export interface Place {
  environment: Environment;
  /** Path before `/oauth`. */
  prefix: '' | '/sandbox';
}

export const places: readonly Place[] = [
  { environment: 'live', prefix: '' },
  { environment: 'sandbox', prefix: '/sandbox' },
];

/** The environment, database and clock for the storage of OAuth. */
export interface Storing {
  environment: Environment;
  /** A fork for one unit of work. */
  em(): EntityManager;
  systemNow(): Date;
}

export function storingOf(deps: ApiDeps, { environment }: Place): Storing {
  return { environment, em: () => deps.em.fork(), systemNow: deps.systemNow };
}

/** The real time this many seconds from now. */
export function later({ systemNow }: Storing, seconds: number): Date {
  return new Date(systemNow().getTime() + seconds * 1000);
}

/** Cookie names, different for each environment, because both share a host. */
export function cookieNames({ prefix }: Place) {
  const name = prefix === '' ? 'perennial' : 'perennial_sandbox';
  return {
    session: `${name}_session`,
    interaction: `${name}_interaction`,
    resume: `${name}_resume`,
  };
}

/** How long the OAuth library remembers who allowed an application in a browser, seconds. It counts only beside the person's session. */
export const SESSION_SECONDS = 14 * 24 * 60 * 60;

/** Dependencies of the pages of one environment. */
export interface Site {
  deps: ApiDeps;
  proxies: BlockList;
  place: Place;
  provider: Provider;
  /** Makes the library answer a request. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  storing: Storing;
}

export type PageContext = Parameters<Middleware<ApiState>>[0];

/** Shows a page or processes its form. `rest`: the segments of the path after the page's name. */
export type PageHandler = (site: Site, ctx: PageContext, rest: readonly string[]) => Promise<void>;

/** The member who asks, with its account in the environment of the page, and its other memberships. */
export interface MemberRequest {
  session: FoundSession;
  member: SignedIn;
  membership: Membership;
  memberships: readonly Membership[];
  rest: readonly string[];
}

/** A page handler that requires a signed-in member. */
export type MemberHandler = (site: Site, ctx: PageContext, request: MemberRequest) => Promise<void>;

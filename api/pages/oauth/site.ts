import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { SignedIn } from '../../../db/queries/accounts/members.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import type { Place, Storing } from './place.ts';

/** Dependencies of the pages of one environment. */
export interface Site {
  deps: ApiDeps;
  place: Place;
  provider: Provider;
  /** Makes the library answer a request. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  storing: Storing;
}

export type PageContext = Parameters<Middleware<ApiState>>[0];

/** Shows a page or processes its form. `rest`: the segments of the path after the page's name. */
export type PageHandler = (site: Site, ctx: PageContext, rest: readonly string[]) => Promise<void>;

/** A page handler that requires a signed-in member. */
export type MemberHandler = (
  site: Site,
  ctx: PageContext,
  request: { member: SignedIn; rest: readonly string[] },
) => Promise<void>;

export function isSecure({ deps }: Site): boolean {
  return deps.publicUrl.startsWith('https:');
}

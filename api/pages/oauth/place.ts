import type { Environment } from '../../../billing/environments.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { ApiDeps } from '../../framework/deps.ts';

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
    form: `${name}_form`,
  };
}

/** How long a member stays signed in in a browser, seconds. */
export const SESSION_SECONDS = 14 * 24 * 60 * 60;

import type { Answer } from '../client/index.ts';

/** Where somebody works: an account in one environment. It is in every address of the dashboard. */
export interface Place {
  /** Id of the live account, which stands for both environments. */
  account: number;
  environment: Environment;
}

type Environment = Answer<'get', '/me'>['account']['environment'];
const environments: Readonly<Record<Environment, true>> = { live: true, sandbox: true };
const isEnvironment = (text: string): text is Environment => Object.hasOwn(environments, text);

/** The place in a path such as `/dashboard/7/sandbox/customers`; null: the path has none. */
export function placeIn(path: string): Place | null {
  const [, account, environment = ''] = /^\/dashboard\/(\d{1,9})\/(\w+)(?:\/|$)/.exec(path) ?? [];
  if (account === undefined || !isEnvironment(environment)) return null;
  return { account: Number(account), environment };
}

/** The path at which a place begins. */
export function rootOf({ account, environment }: Place): string {
  return `/dashboard/${account}/${environment}`;
}

/** The base URL of the API for a place, at the origin of the dashboard. */
export function apiOf({ environment }: Place, origin: string): string {
  return `${origin}${environment === 'sandbox' ? '/sandbox/api' : '/api'}`;
}

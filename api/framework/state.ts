import type { EntityManager } from '../../db/orm.ts';
import type { Credential } from '../../db/queries/accounts/apiKeys.ts';
import type { Environment } from '../../db/schema/account.ts';
import type { Upload } from '../body/upload.ts';
import type { Method } from './apiRequest.ts';
import type { Route } from './route.ts';

/** State that a request's middleware leaves for the later ones, in the order in which it is set. */
export interface ApiState {
  requestId: string;
  environment?: Environment;
  /** `/api` or `/sandbox/api`. */
  basePath?: string;
  /** The route accepts publishable keys: pages of any origin may call it. */
  isForPages?: boolean;
  em?: EntityManager;
  credential?: Credential;
  /** API version of the client. */
  apiVersion?: string;
  matched?: { route: Route; method: Method; params: Readonly<Record<string, string>> };
  /** A page or document without a key, by its name in log and metrics. */
  page?: string;
  body?: unknown;
  /** The file of a form, if the route takes one. */
  upload?: Upload;
  idempotencyKey?: string | null;
}

import type { EntityManager } from '../../db/orm.ts';
import type { Credential } from '../../db/queries/accounts/apiKeys.ts';
import type { Environment } from '../../db/schema/account.ts';
import type { Upload } from '../body/upload.ts';
import type { Method } from './apiRequest.ts';
import type { Route } from './route.ts';

/** What the middleware of a request leaves for those after it, in the order in which it comes to be. */
export interface ApiState {
  requestId: string;
  environment?: Environment;
  /** `/api` or `/sandbox/api`. */
  basePath?: string;
  /** The route is for publishable keys: pages of any site may ask it. */
  isForPages?: boolean;
  em?: EntityManager;
  credential?: Credential;
  /** Version that the client speaks. */
  apiVersion?: string;
  matched?: { route: Route; method: Method; params: Readonly<Record<string, string>> };
  /** A page or document that needs no key, as the log and the metrics call it. */
  page?: string;
  body?: unknown;
  /** The file of a form, where the route takes one. */
  upload?: Upload;
  idempotencyKey?: string | null;
}

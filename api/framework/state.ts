import type { Environment } from '../../billing/environments.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Credential } from '../../db/queries/accounts/apiKeys.ts';
import type { Upload } from '../body/upload.ts';
import type { IfMatch, Method } from './apiRequest.ts';
import type { Route } from './route.ts';

/** State that the middleware of a request passes on, in the order in which it is set. */
export interface ApiState {
  requestId: string;
  environment?: Environment;
  /** `/api` or `/sandbox/api`. */
  basePath?: string;
  /** Whether the route accepts publishable keys. Pages of any origin may then call it. */
  isForPages?: boolean;
  em?: EntityManager;
  credential?: Credential;
  /** In a browser: what a page of ours sends with each write. */
  csrfToken?: string;
  /** The live account of a request that came by a download link, whose session is proven. */
  downloadFrom?: number;
  /** The API version of the response. */
  apiVersion?: string;
  matched?: { route: Route; method: Method; params: Readonly<Record<string, string>> };
  /** Name, in log and metrics, of a page without API key. */
  page?: string;
  /** CSRF token of the forms of a page, if the browser had none before. */
  formToken?: string;
  body?: unknown;
  /** The uploaded file, if the route accepts one. */
  upload?: Upload;
  idempotencyKey?: string | null;
  ifMatch?: IfMatch | null;
}

import type { Presented } from '../../billing/json.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Upload } from '../body/upload.ts';
import type { ApiDeps } from './deps.ts';
import type { Kind } from './kind.ts';
import type { Medium } from './media.ts';
import type { PreviewPages } from './previewPages.ts';
import type { Totals } from './totals.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request as route handlers get it, after all middleware. */
export interface ApiRequest {
  deps: ApiDeps;
  /** The request's own fork, for reads. Each write opens a transaction. */
  em: EntityManager;
  caller: Caller;
  /** Id of the API key or access token. Each credential has its own idempotency keys. */
  credentialId: number;
  method: Method;
  /** Absolute base URL of all paths. */
  baseUrl: string;
  /** Relative to the base URL. */
  path: string;
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
  /** The response that the route declares. */
  answer: ResponseDeclaration;
  body: unknown;
  /** The uploaded file, if the request has one instead of a body. */
  upload: Upload | null;
  idempotencyKey: string | null;
  /** The form of the response that the client prefers. Only some routes have others than JSON. */
  medium: Medium;
  totals: Totals;
  /** The pages of customers, for previews. */
  previews: PreviewPages;
}

/**
 * The declared success response: one object of a kind, a page of a list, an array of all objects, or no body. `dryRun`: the kind of the
 * response to a dry run, whose status is 200.
 */
export type ResponseDeclaration =
  | { statusCode: 200 | 201; kind: Kind; isList?: boolean; isArray?: boolean; example?: Presented; dryRun?: Kind }
  | { statusCode: 204 };

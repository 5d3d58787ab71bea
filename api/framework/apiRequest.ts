import type { Presented } from '../../billing/json.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Upload } from '../body/upload.ts';
import type { ApiDeps } from './deps.ts';
import type { Kind } from './kind.ts';
import type { Totals } from './totals.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request as handlers get it, after the common middleware. */
export interface ApiRequest {
  deps: ApiDeps;
  /** The request's own fork, for reading. Writes open a transaction of their own. */
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
  /** The answer that its route declares. */
  answer: Answer;
  body: unknown;
  /** The file that was sent in place of a body. */
  upload: Upload | null;
  idempotencyKey: string | null;
  /** The client prefers a PDF to JSON. */
  wantsPdf: boolean;
  totals: Totals;
}

/** The declared answer of a success: one object of a kind, a page of a list, an array with all objects, or nothing. */
export type Answer =
  | { statusCode: 200 | 201; kind: Kind; isList?: boolean; isArray?: boolean; example?: Presented }
  | { statusCode: 204 };

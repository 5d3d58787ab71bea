import type { Presented } from '../../billing/json.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Upload } from '../body/upload.ts';
import type { ApiDeps } from './deps.ts';
import type { Kind } from './kind.ts';
import type { Totals } from './totals.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request after everything that is the same for all of them. */
export interface ApiRequest {
  deps: ApiDeps;
  /** The request's own fork, for reading; writes open a transaction of their own. */
  em: EntityManager;
  caller: Caller;
  /** Of the API key; keys of idempotency are its own. */
  credentialId: number;
  method: Method;
  /** Absolute, below which the paths lie. */
  baseUrl: string;
  /** Below the base URL. */
  path: string;
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
  /** What its route answers. */
  answer: Answer;
  body: unknown;
  /** The file that came in place of a body. */
  upload: Upload | null;
  idempotencyKey: string | null;
  /** The client would rather have a PDF than JSON. */
  wantsPdf: boolean;
  totals: Totals;
}

/** What a success answers: one object of a kind, a page of a list of them, an array with all of them, or nothing. */
export type Answer =
  | { statusCode: 200 | 201; kind: Kind; isList?: boolean; isArray?: boolean; example?: Presented }
  | { statusCode: 204 };

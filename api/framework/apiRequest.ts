import type { Context } from 'koa';
import type { Presented } from '../../billing/json.ts';
import type { Permission } from '../../billing/people/permissions.ts';
import { reportTypes } from '../../billing/reports/report.ts';
import type { Named, Printable } from '../../commands/documents/printing.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { UsedSession } from '../../db/queries/accounts/apiKeys.ts';
import type { Stored } from '../../db/queries/kernel/tags.ts';
import type { Language } from '../../words/languages.ts';
import type { Upload } from '../body/upload.ts';
import type { ApiDeps } from './deps.ts';
import type { Kind } from './kind.ts';

/** The form of a response: JSON, the PDF of a document, the XML of its e-invoice, a list as CSV, a report as a spreadsheet, or the bytes of a file. */
export type Medium = 'json' | 'pdf' | 'xml' | 'csv' | 'xlsx' | 'file';

/** MIME types of the forms that browsers save. */
export const mediaTypes = {
  pdf: 'application/pdf',
  xml: 'application/xml',
  csv: reportTypes.csv,
  xlsx: reportTypes.xlsx,
  file: 'application/octet-stream',
} as const;

/** The form that a client prefers. XML is only for clients that do not accept JSON: browsers and many libraries accept both. */
export function preferredMedium(ctx: Pick<Context, 'accepts'>): Medium {
  const takesJson = ctx.accepts('application/json') !== false;
  for (const medium of ['csv', 'xlsx', 'file'] as const)
    if (ctx.accepts('application/json', mediaTypes[medium]) === mediaTypes[medium]) return medium;
  if (!takesJson && ctx.accepts('application/pdf', 'application/xml') === 'application/xml') return 'xml';
  return ctx.accepts('application/json', 'application/pdf') === 'application/pdf' ? 'pdf' : 'json';
}

export interface KeptTotal {
  /** Null: counting would take too long. */
  total: Promise<number> | null;
  countedAt: number;
  /** True while a request recounts the list. */
  renewing: boolean;
}

/** Recent totals of long lists, by account, list and filter. */
export type Totals = Map<string, KeptTotal>;

/** A part of an answer that was read, as it is shown to a caller. */
export type ReadPart = (caller: Caller) => Presented;

/** Parts that were read lately or are being read, by their names. `asOf`: when their reading began. */
export type KeptParts = Map<string, { value: Promise<ReadPart>; asOf: Date }>;

/** A document that is shown on its page. */
export interface OpenedDocument extends Named {
  printable: Printable;
  em: EntityManager;
}

/** Pages and mails as customers would see them, as HTML that loads, runs and sends nothing. */
export interface PreviewPages {
  /** The page of a document. Its links lead nowhere. */
  ofDocument(opened: OpenedDocument): Promise<string>;
  /** A mail, with its logo in place of the reference to an attachment. */
  ofMail(mail: { html: string; logo: { type: string; base64: string } | null }): string;
}

/** The tags that a request accepts, without quotes. `*`: any. */
export type IfMatch = '*' | readonly string[];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request as route handlers get it, after all middleware. */
export interface ApiRequest {
  deps: ApiDeps;
  /** The request's own fork, for reads. Each write opens a transaction. */
  em: EntityManager;
  caller: Caller;
  /** False: a person sent it whose sign-in is older than ten minutes. Secrets and bank details then stay as they are. */
  isFresh: boolean;
  /** What a page of ours sends with each write; null: the request has a key or token. */
  csrfToken: string | null;
  /** The session of the person who sent it; null: it has a key or token. */
  session: Pick<UsedSession, 'id' | 'personId'> | null;
  /** Id of the API key or access token. Each credential has its own idempotency keys. */
  credentialId: number;
  /** `operationId` of the route, and what it needs. */
  operation: string;
  permission: Permission | null;
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
  /** The tags of its If-Match; `*`: any; null: it has none. */
  ifMatch: IfMatch | null;
  /** The row of the object in the path (`Route`). */
  stored: ((request: ApiRequest) => Stored) | null;
  /** The first language of Accept-Language that the product speaks. Only some texts of answers follow it. */
  language: Language;
  /** The form of the response that the client prefers. Only some routes have others than JSON. */
  medium: Medium;
  totals: Totals;
  kept: KeptParts;
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

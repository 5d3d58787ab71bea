import type { DocumentType } from '../../billing/documents/document.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import type { IdColumn } from '../framework/kind.ts';
import { listParameters, readParameters } from '../framework/parameters.ts';
import type { Resource } from '../framework/resource.ts';
import type { Reply, Route } from '../framework/route.ts';
import { storedInPath } from '../framework/stored.ts';
import { list } from './list.ts';
import { readEInvoice, readPdf } from './papers.ts';
import { read } from './read.ts';

/** Declaration of a list or read route of a resource. */
export interface Reading<Row extends object> {
  path: string;
  resource: Resource<Row, IdColumn>;
  summary: string;
  /** Type of the document, if its objects have PDFs. */
  pdf?: DocumentType;
  /** Replaces the default handler. */
  handle?(request: ApiRequest): Promise<Reply>;
}

/** A route that lists a resource. */
export function listRoute<Row extends object>({ path, resource, summary, handle }: Reading<Row>): Route {
  return {
    method: 'GET',
    path,
    summary,
    operationId: `list${pascalCase(path.split('/').at(-1) ?? '')}`,
    permission: `${resource.area}.read`,
    parameters: listParameters(resource),
    answer: { statusCode: 200, kind: resource, isList: true },
    media: ['csv'],
    handle: handle ?? ((request) => list(request, resource)),
  };
}

/** A route that reads one object of a resource. `path` is the path of the list. */
export function readRoute<Row extends object>({ path, resource, summary, handle, pdf }: Reading<Row>): Route {
  const media = pdf ? mediaOf(pdf) : [];
  const readJson = handle ?? ((request) => read(request, resource));
  return {
    method: 'GET',
    path: `${path}/:id`,
    summary,
    operationId: `read${resource.shape.name}`,
    permission: `${resource.area}.read`,
    idColumn: resource.idColumn,
    parameters: readParameters(resource),
    answer: { statusCode: 200, kind: resource },
    stored: (request) => storedInPath(request, resource),
    media,
    handle: (request) => {
      const medium = media.find((one) => one === request.medium);
      if (!pdf || !medium) return readJson(request);
      return medium === 'pdf' ? readPdf(request, pdf, resource.name) : readEInvoice(request, pdf, resource.name);
    },
  };
}

/** Forms of documents. Receipts and estimates have no e-invoice. */
function mediaOf(type: DocumentType): NonNullable<Route['media']> {
  return type === 'invoice' || type === 'credit_note' ? ['pdf', 'xml'] : ['pdf'];
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

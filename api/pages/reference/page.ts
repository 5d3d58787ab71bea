import { mapBreathing } from '../../../db/queries/kernel/breather.ts';
import type { JsonSchema } from '../../body/documented.ts';
import type { OpenApi } from '../../openapi/types.ts';
import { chaptersOf } from './chapters.ts';
import { isNullable, type Row, rowsOf, table } from './fields.ts';
import { anchorOf, escapeHtml, sentence } from './html.ts';
import { methodHtml, operationHtml, type Placed } from './operation.ts';
import { style } from './style.ts';

/** The reference as one self-contained page, from the OpenAPI document. Yields to other requests meanwhile. */
export async function referencePage(api: OpenApi): Promise<string> {
  const { title, description, version } = api.info;
  const chapters = chaptersOf(api);
  const parts = [
    ...chapters.map(
      ({ title: name, text, shown }) =>
        `<article id="${anchorOf(name)}"><div class="said"><h2>${escapeHtml(name)}</h2>${text}</div><div class="shown">${shown}</div></article>`,
    ),
    ...(await mapBreathing(api.tags, (tag) => groupHtml(api, tag))),
    objectsHtml(api),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} API</title><style>${style}</style></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="#top">${escapeHtml(title)}</a><span>API ${version}</span><a href="/api/openapi.json">OpenAPI</a></header>
<div class="columns">${contents(api, chapters)}
<main id="content"><section id="top"><h1>${escapeHtml(title)} API</h1><p class="lead">${sentence(description)}</p></section>
${parts.join('\n')}</main></div></body></html>
`;
}

/** The table of contents, twice: folded on phones, beside the text on wide screens. */
function contents(api: OpenApi, chapters: readonly { title: string }[]): string {
  const groups = api.tags.map(({ name }) => {
    const links = placedIn(api, name).map(
      ({ operation, method }) =>
        `<li><a href="#${operation.operationId}">${methodHtml(method)} ${sentence(shortOf(operation.summary))}</a></li>`,
    );
    return `<details><summary>${escapeHtml(name)}</summary><ul>${links.join('')}</ul></details>`;
  });
  const first = chapters.map(({ title }) => `<li><a href="#${anchorOf(title)}">${escapeHtml(title)}</a></li>`);
  const all = `<ul>${first.join('')}</ul>${groups.join('')}<ul class="last"><li><a href="#objects">Objects</a></li></ul>`;
  return `<nav class="narrow" aria-label="Contents"><details><summary>Contents</summary>${all}</details></nav><nav class="wide" aria-label="Contents">${all}</nav>`;
}

/** The summary up to its first comma or semicolon. */
function shortOf(summary: string): string {
  return summary.split(/[;,]/)[0] ?? summary;
}

function groupHtml(api: OpenApi, { name, description }: { name: string; description: string }): string {
  const operations = placedIn(api, name).map((placed) => operationHtml(api, placed));
  return `<section aria-labelledby="${anchorOf(name)}"><h2 id="${anchorOf(name)}">${escapeHtml(name)}</h2><p class="lead">${sentence(description)}</p>${operations.join('\n')}</section>`;
}

function placedIn(api: OpenApi, tag: string): Placed[] {
  return Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      operation.tags.includes(tag) ? [{ operation, method, path }] : [],
    ),
  );
}

/** The objects of responses. */
function objectsHtml({ components }: OpenApi): string {
  const objects = Object.entries(components.schemas).filter(([name]) => !name.endsWith('Body'));
  const shown = objects.map(([name, schema]) => {
    const told = typeof schema.description === 'string' ? schema.description : '';
    const members = Array.isArray(schema.oneOf) ? schema.oneOf : [];
    const union = members.map((member) => linkTo(member)).join(' or ');
    return `<details class="object" id="object-${name}"><summary><code>${name}</code> ${sentence(told)}</summary>${union}${table('Fields', fieldsOf(schema))}</details>`;
  });
  return `<section aria-labelledby="objects"><h2 id="objects">Objects</h2><p class="lead">Every field is in every response, null where it is unset.</p>${shown.join('')}</section>`;
}

function fieldsOf(schema: JsonSchema): Row[] {
  return rowsOf(schema).map((row) => ({ ...row, isRequired: false, mayBeNull: isNullable(row.schema) }));
}

function linkTo(ref: unknown): string {
  const target: unknown = typeof ref === 'object' && ref !== null ? Reflect.get(ref, '$ref') : '';
  const name = String(target).split('/').at(-1) ?? '';
  return `<a href="#object-${name}">${name}</a>`;
}

// Own code: 60 kB without a script; Scalar's page loads 1.3 MB of script, needs inline styles, and shows its text more than twice as late.
import { mapBreathing } from '../../../db/fairness/breather.ts';
import type { JsonSchema } from '../../body/documented.ts';
import type { OpenApi } from '../../openapi/types.ts';
import { type Html, html } from '../kit/html.ts';
import { wholeDocument } from '../kit/page.ts';
import { type Chapter, chaptersOf } from './chapters.ts';
import { isNullable, objectOf, type Row, refHtml, rowsOf, table } from './fields.ts';
import { anchorOf, sentence } from './html.ts';
import { methodHtml, operationHtml, type Placed } from './operation.ts';
import { style } from './style.ts';

/** Renders the OpenAPI document as one self-contained page. Yields to other requests while it works. */
export async function referencePage(api: OpenApi): Promise<string> {
  const { title, description, version } = api.info;
  const chapters = chaptersOf(api);
  const parts = [
    ...chapters.map(chapterHtml),
    ...(await mapBreathing(api.tags, (tag) => groupHtml(api, tag))),
    objectsHtml(api),
  ];
  const body = html`<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="#top">${title}</a><span>API ${version}</span><a href="/api/openapi.json">OpenAPI</a></header>
<div class="columns">${contents(api, chapters)}
<main id="content"><section id="top"><h1>${title} API</h1><p class="lead">${sentence(description)}</p></section>
${parts}</main></div>`;
  const about = { language: 'en', direction: 'ltr', title: `${title} API`, style: { css: style } } as const;
  return wholeDocument({ ...about, body, isSearchable: true }).html;
}

function chapterHtml({ title, text, shown }: Chapter): Html {
  return html`<article id="${anchorOf(title)}"><div class="said"><h2>${title}</h2>${text}</div><div class="shown">${shown}</div></article>`;
}

/** The table of contents, twice: folded on phones, beside the text on wide screens. */
function contents(api: OpenApi, chapters: readonly Chapter[]): Html {
  const groups = api.tags.map(({ name }) => {
    const links = placedIn(api, name).map(
      ({ operation, method }) =>
        html`<li><a href="#${operation.operationId}">${methodHtml(method)} ${sentence(shortOf(operation.summary))}</a></li>`,
    );
    return html`<details><summary>${name}</summary><ul>${links}</ul></details>`;
  });
  const first = chapters.map(({ title }) => html`<li><a href="#${anchorOf(title)}">${title}</a></li>`);
  const all = html`<ul>${first}</ul>${groups}<ul class="last"><li><a href="#objects">Objects</a></li></ul>`;
  return html`<nav class="narrow" aria-label="Contents"><details><summary>Contents</summary>${all}</details></nav><nav class="wide" aria-label="Contents">${all}</nav>`;
}

/** The summary up to its first colon, comma or semicolon. */
function shortOf(summary: string): string {
  return summary.split(/[:;,]/)[0] ?? summary;
}

function groupHtml(api: OpenApi, { name, description }: { name: string; description: string }): Html {
  const operations = placedIn(api, name).map((placed) => operationHtml(api, placed));
  return html`<section aria-labelledby="${anchorOf(name)}"><h2 id="${anchorOf(name)}">${name}</h2><p class="lead">${sentence(description)}</p>${operations}</section>`;
}

function placedIn(api: OpenApi, tag: string): Placed[] {
  return Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      operation.tags.includes(tag) ? [{ operation, method, path }] : [],
    ),
  );
}

/** The objects of responses. */
function objectsHtml({ components }: OpenApi): Html {
  const objects = Object.entries(components.schemas).filter(([name]) => !name.endsWith('Body'));
  const shown = objects.map(([name, schema]) => {
    const told = typeof schema.description === 'string' ? schema.description : '';
    const members = Array.isArray(schema.oneOf) ? schema.oneOf : [];
    const union = members.map(
      (member, index) => html`${index === 0 ? null : ' or '}${refHtml(String(objectOf(member).$ref))}`,
    );
    return html`<details class="object" id="object-${name}"><summary><code>${name}</code> ${sentence(told)}</summary>${union}${table('Fields', fieldsOf(schema))}</details>`;
  });
  return html`<section aria-labelledby="objects"><h2 id="objects">Objects</h2><p class="lead">Responses contain these fields; a field without a value is null.</p>${shown}</section>`;
}

function fieldsOf(schema: JsonSchema): Row[] {
  return rowsOf(schema).map((row) => ({ ...row, isRequired: false, mayBeNull: isNullable(row.schema) }));
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openApiOf } from '../../api/openapi/document.ts';
import { field } from '../../api/pages/kit/forms.ts';
import { attributes, Html, html } from '../../api/pages/kit/html.ts';
import { pagePolicy, policyOf } from '../../api/pages/kit/policy.ts';
import { referencePage } from '../../api/pages/reference/page.ts';
import { style } from '../../api/pages/reference/style.ts';
import { routeGroups } from '../../api/resources/routes.ts';
import { projectFolder } from '../suites.ts';
import { nodesOf } from '../support/imports.ts';
import { sourceFiles } from '../support/sources.ts';

const KIT = 'api/pages/kit/';
/** Mails do not use the kit: mail programs need tables and inline styles. */
const MAIL = /^present\/emails\//;
const TAG =
  /<!doctype|<\/?(a|b|body|br|button|code|dd|div|dl|dt|form|h[1-6]|head|i|img|input|label|li|link|main|meta|p|script|section|span|strong|style|table|td|th|tr|ul)[\s>]/i;
const DIRECTIVE = /\b(default|script|style|img|font|connect)-src\b|\bframe-ancestors\b|\bform-action\b|\bbase-uri\b/;

interface Template {
  tag: string | null;
  texts: string[];
}

/** The strings of a source, and its templates as the texts between their values. */
function templatesOf(source: string): Template[] {
  const nodes = nodesOf(source);
  const tags = new Map(
    nodes.flatMap(({ type, tag, template }) =>
      type === 'TaggedTemplateExpression' ? [[template, String(Object(tag).value)] as const] : [],
    ),
  );
  return nodes.flatMap((node): Template[] => {
    if (node.type === 'StringLiteral') return [{ tag: null, texts: [String(node.value)] }];
    if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return [];
    return [{ tag: tags.get(node) ?? null, texts: node.quasis.map(({ cooked }) => String(cooked)) }];
  });
}

/** HTML, policies and trusted texts in a source that only the kit may have. */
function ownWays(file: string, source: string): string[] {
  const found = templatesOf(source).flatMap(({ tag, texts }) => [
    ...(tag !== 'html' && texts.some((text) => TAG.test(text)) ? ['HTML without the template function'] : []),
    ...(texts.some((text) => DIRECTIVE.test(text)) ? ['a policy'] : []),
  ]);
  const trusts = /\bHtml\.trusted\(/.test(source) ? ['trusted text'] : [];
  return [...found, ...trusts].map((way) => `${file}: ${way}`);
}

test('only the kit makes trusted HTML and policies; every page is made by its template function', () => {
  const files = sourceFiles().filter((file) => /^(api|present|commands)\//.test(file));
  const others = files.filter((file) => !file.startsWith(KIT) && !MAIL.test(file));
  expect(others.length).toBeGreaterThan(400);
  expect(others.flatMap((file) => ownWays(file, readFileSync(join(projectFolder, file), 'utf8')))).toEqual([]);
  for (const source of ['const a = `<p>`;', "const a = '<br >';", 'Html.trusted(a);', 'ctx.set(a, `base-uri`);']) {
    expect(ownWays('a.ts', source)).toHaveLength(1);
  }
  expect(ownWays('a.ts', 'html`<p>a</p>`;')).toEqual([]);
});

/** Template texts whose next value is inserted unsafely: in a tag outside quotes, in a script, or in a style. */
function unsafe(source: string): string[] {
  const templates = templatesOf(source).filter(({ tag }) => tag === 'html');
  return templates.flatMap(({ texts }) =>
    texts.slice(0, -1).filter((text) => /=$|<(script|style)[^<]*$|<!--[^>]*$|<\/?$/.test(text)),
  );
}

test('values are inserted into text or quotes, never directly into a tag, a script or a comment', () => {
  const files = sourceFiles().filter((file) => file.startsWith('api/'));
  const found = files.flatMap((file) => unsafe(readFileSync(join(projectFolder, file), 'utf8')));
  expect(found).toEqual(['<style>']); // the style of a page, which is trusted
  for (const before of ['<a href=', '<script>let a = ', '<!-- ', '<']) {
    expect(unsafe(`html\`${before}\${b}\``)).toEqual([before]);
  }
});

test('values other than trusted HTML are escaped, even if they look like it', () => {
  const evil = `<img src=x onerror="alert('1')">&`;
  const safe = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;';
  expect(html`<p title="${evil}">${evil}${html`<b>${evil}</b>`}${null}${7}</p>`.html).toBe(
    `<p title="${safe}">${safe}<b>${safe}</b>7</p>`,
  );
  const forged: unknown = { html: '<script>' };
  expect(() => html`${forged as Html}`).toThrow();
  expect(Html.is(forged)).toBe(false);
  expect(html`<a${attributes({ title: evil, hidden: true, id: null, lang: false })}>`.html).toBe(
    `<a title="${safe}" hidden>`,
  );
});

test('a field has its label, its hint and what is wrong with it', () => {
  const about = { type: 'text', autocomplete: 'off', maxLength: 10, isFocused: false } as const;
  const { html: shown } = field({ ...about, name: 'a', label: 'A', value: '"', hint: 'B', problem: 'c' });
  for (const part of [
    '<label for="a">A</label>',
    'id="a" name="a" value="&quot;"',
    'id="a-hint">B<',
    'required',
    'aria-invalid="true"',
  ]) {
    expect(shown).toContain(part);
  }
  expect(shown).toContain('aria-describedby="c a-hint"');
});

test.each(["'self'; script-src *", "'self', default-src *", 'https://a.example https://b.example', ''])(
  'a policy has no source %j',
  (source) => {
    expect(() => policyOf({ 'form-action': [source] })).toThrow('not a source of form-action');
  },
);

test.each(['https://a;sandbox', 'https://a,b.example', 'https://*', 'https://*.example'])(
  'the redirect URI %s adds nothing to a policy',
  (uri) => {
    const page = { css: null, hasPictures: false, script: null };
    expect(pagePolicy({ ...page, formTargets: [uri] })).toBe(pagePolicy({ ...page, formTargets: [] }));
    expect(pagePolicy({ ...page, formTargets: ['https://a.example/b', 'com.app:/c'] })).toContain(
      "form-action 'self' https://a.example com.app:;",
    );
  },
);

test('the reference is one page under a policy that allows its style alone', async () => {
  const page = await referencePage(openApiOf(routeGroups, 'https://billing.example'));
  const [, css = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  const hash = createHash('sha256').update(css).digest('base64');
  expect(pagePolicy({ css: style, hasPictures: false, formTargets: [], script: null })).toContain(
    `style-src 'sha256-${hash}'`,
  );
  expect(page.match(/<script|<link|<img|<iframe| style="| on\w+="|url\(|@import/)).toBeNull();
});

/** The rules of a style sheet: the media for which they count, and their declarations. */
function rulesOf(css: string, media = ''): { media: string; selector: string; declarations: string }[] {
  const plain = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\s+/g, ' ');
  const nested: ReturnType<typeof rulesOf> = [];
  const flat = plain.replaceAll(/@(?:media|supports) ([^{]+)\{((?:[^{}]*\{[^{}]*\})*)\s*\}/g, (_, query, inner) => {
    nested.push(...rulesOf(String(inner), String(query).trim()));
    return '';
  });
  const own = [...flat.matchAll(/([^{};]+)\{([^{}]*)\}/g)].map(([, selector = '', declarations = '']) => ({
    media,
    selector: selector.trim(),
    declarations: declarations.trim(),
  }));
  return [...own, ...nested];
}

/** Rules of the same media with the same declarations, if those are more than two. */
function repeated(css: string): string[] {
  const seen = new Map<string, string>();
  return rulesOf(css).flatMap(({ media, selector, declarations }) => {
    const key = `${media} ${declarations}`;
    const other = seen.get(key);
    seen.set(key, selector);
    const isLong = declarations.split(';').length > 3;
    return other !== undefined && isLong ? [`${other} and ${selector}: ${declarations}`] : [];
  });
}

test('no style sheet of a page repeats a rule of another', () => {
  const folders = ['kit', 'hosted'].map((name) => join(projectFolder, 'api', 'pages', name, 'styles'));
  const sheets = folders.flatMap((folder) =>
    readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  expect(sheets.length).toBeGreaterThan(6);
  expect(repeated(sheets.join('\n'))).toEqual([]);
  const rule = '{ b: c; d: e; f: g; }';
  expect(repeated(`.a ${rule} @media print { .h ${rule} }`)).toEqual([]);
  expect(
    repeated(`.a ${rule} @media print { .h ${rule} .i { b: c; } } .j ${rule} @media print { .k ${rule} }`),
  ).toHaveLength(2);
  const pages = readdirSync(join(projectFolder, 'api', 'pages'), { recursive: true, encoding: 'utf8' });
  const elsewhere = pages.filter((file) => file.endsWith('.css') && !/^(kit|hosted)\/styles\//.test(file));
  expect(elsewhere).toEqual([]);
});

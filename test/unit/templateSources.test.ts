import { expect, test } from '@jest/globals';
import { customTemplates } from '../../billing/mail/emailTemplates.ts';
import { setOrigin } from '../../present/kernel/links.ts';
import { renderTemplate } from '../../present/templates/render.ts';
import { sampleEmail } from '../../present/templates/sample.ts';
import type { TemplateSource } from '../../present/templates/source.ts';
import { mistakeOf } from '../../present/templates/task.ts';

// Sources of customized emails: what is refused when they are saved, and what is left of hostile values when they are rendered.

const ORIGIN = 'https://billing.example';
setOrigin(ORIGIN);
const sourceOf = (part: Partial<TemplateSource>) => ({ subject: null, html: null, text: null, ...part });
const mistake = (html: string, template: (typeof customTemplates)[number] = 'new_invoice_email') =>
  mistakeOf({ template, language: 'en', source: sourceOf({ html }) }, ORIGIN);

const sample = sampleEmail('new_invoice_email', 'en').view;
if (!sample) throw new Error('the sample has no values');
const written = (part: Partial<TemplateSource>, variables: object = {}) =>
  renderTemplate(sourceOf(part), { ...sample, variables: { ...sample.variables, ...variables } }, ORIGIN);

/** A source that shows every common variable, as a business may begin with. */
const STARTER = `<h1>{{heading}}</h1><p>{{message}}</p>
<table>{{#each rows}}<tr><td>{{#if href}}<a href="{{href}}">{{label}}</a>{{else}}{{label}}{{/if}}</td><td>{{value}}</td></tr>{{/each}}</table>
{{#if action}}<a href="{{action.href}}">{{action.label}}</a>{{/if}}{{#each links}}<a href="{{href}}">{{label}}</a>{{/each}}`;

test.each(customTemplates)('%s: a source with every common variable has no mistake', (template) => {
  expect(mistake(STARTER, template)).toBeNull();
});

test('variables are known at every depth, and from the root inside of loops', () => {
  const loops =
    '{{#each rows}}{{#each @root.lines}}{{name}}{{../label}}{{../../figure}}{{@root.figure}}{{/each}}{{/each}}';
  expect(mistake(loops)).toBeNull();
});

test.each([
  ['<p>\n{{invoice.nubmer}}', { message: 'Unknown variable: invoice.nubmer', line: 2, column: 3 }],
  [
    '{{#each rows}}{{customer.number}}{{/each}}',
    { unknown: { name: 'customer.number', known: expect.arrayContaining(['../customer', 'label']) } },
  ],
  ['{{#if paid}}', { message: expect.stringMatching(/^Syntax error: Parse error on line 1: /) }],
  ['{{constructor}}', { message: 'Unknown variable: constructor' }],
  ['{{invoice.__proto__}}', { message: 'Unknown variable: invoice.__proto__' }],
  ['{{lookup invoice "number"}}', { message: 'Unknown helper: lookup' }],
  ['{{log figure}}', { message: 'Unknown helper: log' }],
  ['{{#figure}}x{{/figure}}', { message: 'Unknown helper: figure' }],
  ['{{"lookup" invoice "nubmer"}}', { message: expect.stringContaining('without quotes') }],
  ['{{"with" invoice}}', { message: expect.stringContaining('without quotes') }],
  ['{{#"with" invoice}}{{number}}{{/"with"}}', { message: expect.stringMatching(/without quotes/) }],
  ['{{"constructor"}}', { message: expect.stringContaining('without quotes') }],
  ['{{true}}', { message: expect.stringContaining('without quotes') }],
  ['{{{figure}}}', { message: 'Values are always escaped: use two braces' }],
  ['{{> evil}}', { message: 'Partials and decorators cannot be used' }],
  ['{{#*inline "evil"}}{{/inline}}', { message: 'Partials and decorators cannot be used' }],
  ['{{#each rows as |row|}}{{/each}}', { message: expect.stringContaining('Block parameters') }],
  ['{{#each invoice}}{{/each}}', { message: 'each takes a list' }],
  ['{{rows}}', { message: expect.stringContaining('has further variables') }],
  ['{{money figure}}', { message: 'money takes 2 values' }],
  [`${'{{#if figure}}'.repeat(4000)}${'{{/if}}'.repeat(4000)}`, { message: 'The blocks are nested too deeply' }],
  ['<p>\n<script>alert(1)</script>', { message: 'Not allowed in mails: <script>', line: 2 }],
  ['<p onclick="x()">', { message: 'Not allowed in mails: onclick' }],
  ['<form action="https://evil.example">', { message: 'Not allowed in mails: <form>' }],
  ['<meta http-equiv="refresh">', { message: 'Not allowed in mails: <meta>' }],
  ['<link href="https://fonts.example">', { message: 'Not allowed in mails: <link>' }],
  ['<a href="javascript:alert(1)">x</a>', { message: 'Not allowed in mails: addresses with javascript:' }],
])('%.70s is refused', (html, expected) => {
  expect(mistake(html)).toMatchObject({ part: 'html', ...expected });
});

test('values are escaped, cannot begin a link with another scheme, and keep no hidden characters', () => {
  const hostile = '<script>alert(1)</script>\u202Eevil';
  const { subject, html, text } = written(
    { subject: 'To {{figure}}', html: '<p title="{{figure}}">{{figure}}</p><a href="{{message}}">x</a>' },
    { figure: `${hostile}\r\nBcc: x@evil.example`, message: 'javascript:alert(1)' },
  );
  expect(html).toMatch(/<p title="(&lt;script&gt;alert\(1\)&lt;\/script&gt;evil[^"]*)">\1<\/p>/);
  expect(html).not.toMatch(/<script|javascript:|\u202E/);
  expect(text).not.toContain('\u202E');
  expect(subject).toBe('To <script>alert(1)</script>evil Bcc: x@evil.example');
});

test('a source cannot hide characters behind entities, or load anything by a style', () => {
  const { html } = written({ html: '<p style="color:red;background:url(https://evil.example)">a&#8238;b</p>' });
  expect(html).toContain('<p style="color:red">ab</p>');
});

test('the text is derived from the html; helpers write amounts and days in the language of the mail', () => {
  const { text } = written({
    html: '<p>{{money "1234.5" "eur"}}<br>{{date invoice.date_on "short"}}</p><ul>{{#each rows}}<li>{{@index}} {{../figure}}</li>{{/each}}</ul><a href="{{invoice.url}}">Pay</a>',
  });
  expect(text).toContain('€1,234.50\n12/1/26\n0 $249.00\n1 $249.00\n');
  expect(text).toContain(`\nPay (${ORIGIN}/documents/0/invoice/7/Example)`);
});

test('a text of 10,000 characters is shown whole; a result of more than 512 KiB is refused', () => {
  const figure = 'x'.repeat(10_000);
  expect(written({ html: '{{figure}}' }, { figure }).text).toContain(figure);
  expect(() => written({ html: '{{figure}}'.repeat(60) }, { figure })).toThrow('longer than 512 KiB');
});

test('a text or subject of the sender and a test are kept: the mark of a test begins the subject', () => {
  const marked = renderTemplate(sourceOf({ subject: 'Hello' }), { ...sample, isTest: true }, ORIGIN);
  expect(marked).toEqual({ subject: '[Test] Hello' });
});

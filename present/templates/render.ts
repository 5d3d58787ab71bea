import Handlebars from 'handlebars';
import { withoutHidden } from '../../billing/look/visibleText.ts';
import type { MailView } from '../../billing/mail/mailView.ts';
import { framedHtml, framedText } from '../emails/html.ts';
import { directionOf } from '../printed/formats.ts';
import { type HelperWriting, helpers, helpersIn } from './functions.ts';
import { plainTextOf, sanitized } from './sanitize.ts';
import { oneLine, TEST_MARK, type TemplateSource } from './source.ts';

/** Maximum number of characters of a rendered part. */
const MOST_CHARACTERS = 512 * 1024;

/** The parts of a mail that a customized template has written. */
export interface RenderedParts {
  subject?: string;
  html?: string;
  text?: string;
}

/** Renders the parts of a source. `origin`: that of the deployment. Throws for a result that is too long. */
export function renderTemplate(source: TemplateSource, view: MailView, origin: string): RenderedParts {
  const inHtml = (part: string) => run(part, view, 'html');
  const inText = (part: string) => run(part, view, 'text');
  const { language } = view;
  const frame = { ...view.frame, language, direction: directionOf(language) };
  const mark = view.isTest ? TEST_MARK : '';
  const subject = source.subject === null ? undefined : oneLine(`${mark}${inText(source.subject)}`);
  const html = source.html === null ? null : withoutHidden(sanitized(inHtml(source.html), origin));
  const words = source.text === null ? html && plainTextOf(html) : withoutHidden(inText(source.text));
  return {
    ...(subject ? { subject } : {}),
    ...(html === null ? {} : { html: framedHtml({ ...frame, subject: subject ?? frame.subject }, html) }),
    ...(words === null ? {} : { text: framedText(frame, words) }),
  };
}

function run(source: string, { variables, ...writing }: MailView & HelperWriting, kind: 'html' | 'text'): string {
  const compiled = Handlebars.create().compile(source, {
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
    noEscape: kind === 'text',
    preventIndent: true,
  });
  const rendered = compiled(variables, {
    helpers: helpersIn(writing),
    partials: {},
    decorators: {},
    allowProtoPropertiesByDefault: false,
    allowProtoMethodsByDefault: false,
  });
  if (rendered.length > MOST_CHARACTERS) throw new Error(`The result is longer than ${MOST_CHARACTERS / 1024} KiB`);
  return rendered;
}

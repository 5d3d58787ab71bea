import { Temporal } from 'temporal-polyfill';
import { visible, visibleLine } from '../look/visibleText.ts';
import { Refusal } from '../refusal.ts';

/** Texts are sent from `FIRST_HOUR` until before `END_HOUR`, local time. */
const FIRST_HOUR = 8;
const END_HOUR = 21;

const QUARTER_MILLISECONDS = 15 * 60_000;
/** A day and the longest change of an offset: every pattern of hours has repeated by then. */
const QUARTERS = 26 * 4;

/** Whether it is at least 8:00 and before 21:00 in every zone. No zone: never. */
export function isTextHour(at: number, zones: readonly string[]): boolean {
  const hourIn = (zone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).hour;
  return zones.length > 0 && zones.map(hourIn).every((hour) => hour >= FIRST_HOUR && hour < END_HOUR);
}

/**
 * The first instant from `at` on that is at least 8:00 and before 21:00 in every zone at once, epoch milliseconds. Null: there is none, or no
 * zone is known. Offsets of all zones are whole quarters of an hour, so hours begin at a quarter.
 */
export function nextTextHour(at: number, zones: readonly string[]): number | null {
  if (isTextHour(at, zones)) return at;
  const begin = Math.floor(at / QUARTER_MILLISECONDS) + 1;
  for (let quarter = begin; quarter < begin + QUARTERS; quarter += 1) {
    const instant = quarter * QUARTER_MILLISECONDS;
    if (isTextHour(instant, zones)) return instant;
  }
  return null;
}

/** A message that a person sent: it stops texts to its number, allows them again, or asks for help. Null: anything else. */
export type TextKeyword = 'stop' | 'start' | 'help';

/** The words that Twilio and the carriers know, too. */
const keywords: Readonly<Record<TextKeyword, readonly string[]>> = {
  stop: ['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout'],
  start: ['start', 'yes', 'unstop'],
  help: ['help', 'info'],
};

const keywordKinds = ['stop', 'start', 'help'] as const;

/** The keyword of a received message that consists of one known word. `provider`: the keyword that the provider has found by its own list. */
export function keywordOf(received: string, provider: string | null): TextKeyword | null {
  const said = keywordKinds.find((kind) => kind === provider?.toLowerCase());
  if (said) return said;
  const word = received
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return keywordKinds.find((kind) => keywords[kind].includes(word)) ?? null;
}

/**
 * queued: waits for its time or for a try. sending: the provider is being asked, or was asked and its answer is not known. sent: the provider
 * took it. delivered: the phone got it. undeliverable: the number can never get it. failed: it was given up, or was lost on its way.
 * canceled: nothing that it asks for was owed any more, or its contact is no longer texted.
 */
export const textStates = ['queued', 'sending', 'sent', 'delivered', 'undeliverable', 'failed', 'canceled'] as const;
export type TextState = (typeof textStates)[number];

/** States in which a text waits for its provider. */
export const WAITING: readonly TextState[] = ['queued', 'sending'];

/** The report of a provider about a text that it took. */
export type TextReport = 'sent' | 'delivered' | 'undeliverable' | 'failed';

/** The state after a report. Reports come repeated and out of order: one that says less than is known changes nothing. */
export function stateAfterReport(state: TextState, report: TextReport): TextState {
  const isFinal = state === 'delivered' || state === 'undeliverable' || state === 'failed' || state === 'canceled';
  return isFinal ? state : report;
}

/** Milliseconds until a text without a known outcome is looked up: longer than a request to the provider may take. */
export const TEXT_LOOK_UP_MILLISECONDS = 60_000;

/** Milliseconds for which a text is tried. A later one would ask for a debt of yesterday. */
export const TEXT_GIVE_UP_MILLISECONDS = 24 * 3_600_000;

/** Milliseconds until the next try: 30 s, doubled to at most 30 min; later if the provider asks for it. */
export function textBackoff(attempts: number, retryAfterSeconds: number | null): number {
  const own = Math.min(30_000 * 2 ** Math.min(attempts - 1, 10), 1_800_000);
  return Math.max(own, Math.min(retryAfterSeconds ?? 0, 3600) * 1000);
}

/** The variables of an SMS template, written as `{{amount}}`. */
export const smsVariables = [
  'account_name',
  'customer_name',
  'contact_name',
  'amount',
  'invoice_numbers',
  'pay_url',
] as const;
export type SmsVariable = (typeof smsVariables)[number];
export type SmsValues = Readonly<Record<SmsVariable, string>>;

/** Most characters of a template, and of a text: providers take no longer one. */
export const LONGEST_TEXT = 1600;
/** Most characters of a value in a text message, except `pay_url`. Longer values are cut, because long messages cost more. */
const LONGEST_VALUE = 120;

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Refuses a template with an unknown variable, with braces that are no variable, or without a visible character. */
export function checkSmsMessage(template: string): void {
  if (visible(template).trim() === '')
    throw new Refusal('parameter_invalid', 'Message must have a visible character', 'message');
  for (const [, name = ''] of template.matchAll(VARIABLE))
    if (!smsVariables.some((known) => known === name))
      throw new Refusal('parameter_invalid', `Variables are ${smsVariables.join(', ')}: {{${name}}}`, 'message');
  const rest = template.replaceAll(VARIABLE, '');
  if (rest.includes('{{') || rest.includes('}}'))
    throw new Refusal('parameter_invalid', 'Variables are written as {{amount}}: two braces are left over', 'message');
}

/** Fills a checked template. Values are cut, and hidden characters are removed. A value is never read as a template. */
export function fillSms(template: string, values: SmsValues): string {
  const filled = template.replaceAll(VARIABLE, (whole, name: string) => {
    const known = smsVariables.find((variable) => variable === name);
    return known ? shown(known, values[known]) : whole;
  });
  return visible(filled);
}

function shown(variable: SmsVariable, value: string): string {
  const line = visibleLine(value).trim();
  if (variable === 'pay_url') return line;
  const characters = Array.from(line);
  return characters.length > LONGEST_VALUE ? `${characters.slice(0, LONGEST_VALUE - 1).join('')}…` : line;
}

/** Whether a text has a length that providers take. */
export function fitsInText(text: string): boolean {
  return text.length <= LONGEST_TEXT;
}

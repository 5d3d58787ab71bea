import { Refusal } from './refusal.ts';
import { visible, visibleLine } from './visibleText.ts';

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

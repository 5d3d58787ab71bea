import { assignedCountryCode, isCountry } from '../../billing/country.ts';
import { numberKey } from '../../billing/documents/numbering.ts';
import type { ErrorCode } from '../../billing/errorCodes.ts';
import { parseColour } from '../../billing/look/colour.ts';
import { hasVisible, hiddenIn } from '../../billing/look/visibleText.ts';
import { EMAIL } from '../../billing/mail/mailSender.ts';
import { decimalIn, isCurrency } from '../../billing/money/money.ts';
import { cut } from '../../billing/refusal.ts';
import { LATEST } from '../../billing/time/calendar.ts';
import { isSent } from './sent.ts';

/** A value that does not fit its field. The message continues a sentence that begins with the field's name. */
export class Unfit extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function unfit(message: string, code: ErrorCode = 'parameter_invalid'): never {
  throw new Unfit(code, message);
}

/** The text of a JSON string or of a form's value. Null for any other value. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return isSent(value) && value.kind === 'form' ? value.text : null;
}

/** Text that the database can store, with at most `most` characters. */
export function readText(value: unknown, most: number): string {
  const text = textOf(value) ?? unfit('must be text');
  if (isLonger(text, most)) unfit(`must have at most ${most} characters`);
  if (text.includes('\0') || !text.isWellFormed()) unfit('must be Unicode text without null characters');
  return text;
}

/** Whether a text has more than `most` characters. Characters are counted only if the length in UTF-16 units does not decide. */
function isLonger(text: string, most: number): boolean {
  return text.length > 2 * most || (text.length > most && [...text].length > most);
}

/** Text with at least one visible character. */
export function readName(value: unknown): string {
  const name = readText(value, 255);
  return hasVisible(name) ? name : unfit('must have a visible character');
}

/** Reads a text, and refuses hidden and control characters, because people compare these values by eye. */
export function readPlain(value: unknown, most: number): string {
  const text = readText(value, most);
  const hidden = hiddenIn(text);
  return hidden === null ? text : unfit(`must have no hidden or control characters: ${hidden}`);
}

/** A number of a document or a customer, without the spaces around it. */
export function readNumber(value: unknown): string {
  const number = readPlain(value, 255).trim();
  if (!hasVisible(number)) unfit('must have a visible character');
  return numberKey(number).length <= 255 ? number : unfit('must have at most 255 characters');
}

/** Prefix of the numbers of a series. */
export function readPrefix(value: unknown): string {
  const prefix = readPlain(value, 16).trimStart();
  return hasVisible(prefix) ? prefix : unfit('must have a visible character');
}

export function readEmail(value: unknown): string {
  const address = readPlain(value, 255);
  return EMAIL.test(address) ? address : unfit(`must be an email address: ${address}`);
}

function numberText(value: unknown): string {
  return isSent(value) ? value.text.trim() : unfit('must be a number');
}

export function readWhole(value: unknown, least: number, most: number): number {
  const number = wholeIn(numberText(value));
  const fits = number !== null && number >= least && number <= most;
  return fits ? number : unfit(`must be a whole number from ${least} to ${most}`);
}

/** The whole number that a decimal text denotes, such as 12, 12.0 or 1e3. Null: it is not a whole number, or has more than 15 digits. */
function wholeIn(text: string): number | null {
  const { decimal } = decimalIn(text, { maxDecimals: 0, maxSignificant: 15 });
  return decimal === null ? null : Number(decimal);
}

/** Exact decimal text with at most 15 significant digits. */
export function readDecimal(value: unknown, maxDecimals: number): string {
  const { decimal, fault } = decimalIn(numberText(value), { maxDecimals, maxSignificant: 15 });
  return fault === null ? decimal : unfit(fault);
}

/** An amount below 10^12 with at most four decimals, the most in ISO 4217. Commands check it against its currency. */
export function readAmount(value: unknown): string {
  const amount = readDecimal(value, 4);
  const [whole = ''] = amount.replace('-', '').split('.');
  return whole.length <= 12 ? amount : unfit('must be below 1000000000000');
}

export function readPositiveAmount(value: unknown): string {
  const amount = readAmount(value);
  return amount.startsWith('-') || /^[0.]+$/.test(amount) ? unfit('must be greater than 0') : amount;
}

/** The largest 32-bit id. */
export const LARGEST_ID = 2_147_483_647;
/** The largest 64-bit id that a JSON number holds exactly. Events, lines and other numerous objects have 64-bit ids. */
export const LARGEST_LONG_ID = Number.MAX_SAFE_INTEGER;

/** An id, or an object that has one. */
export function readId(value: unknown): number {
  return readIdUpTo(LARGEST_ID, value);
}

export function readLongId(value: unknown): number {
  return readIdUpTo(LARGEST_LONG_ID, value);
}

function readIdUpTo(largest: number, value: unknown): number {
  const given = idOf(value);
  const [, digits] = /^(\d{1,20})(?:\.0+)?$/.exec(isSent(given) ? given.text : '') ?? [];
  if (digits === undefined) return unfit('must be an id');
  const id = Number(digits);
  return id >= 1 && id <= largest ? id : unfit(`was not found: ${digits}`, 'resource_missing');
}

/** Id of an item or a plan, or an object with such an id. */
export function readCode(value: unknown): string {
  const text = readText(idOf(value), 255);
  return text === '' ? unfit('must be an id') : text;
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !isSent(value) && 'id' in value ? value.id : value;
}

const CODE = /^[A-Za-z0-9_-]{2,64}$/;

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** A calendar day, such as `2027-03-31`. */
export function readDay(value: unknown): string {
  const text = readText(value, 10);
  const isDay = DAY.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text) && text >= '1970-01-02';
  return isDay && text < '2200-01-01' ? text : unfit('must be a day between 1970 and 2199, such as 2027-03-31');
}

export function readNewCode(value: unknown): string {
  const text = readText(value, 255);
  return CODE.test(text) ? text : unfit('must be 2 to 64 letters, digits, _ or -');
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = isSent(value) ? textOf(value) : null;
  return BOOLEANS.get((text ?? '').toLowerCase()) ?? unfit('must be true or false');
}

export const LAST_SECOND = LATEST / 1000;

export function readTimestamp(value: unknown): Date {
  const seconds = wholeIn(numberText(value));
  const fits = seconds !== null && seconds >= 0 && seconds <= LAST_SECOND;
  return fits ? new Date(seconds * 1000) : unfit(`must be a UNIX time in whole seconds, from 0 to ${LAST_SECOND}`);
}

export function readCurrency(value: unknown): string {
  const code = readText(value, 255).toLowerCase();
  return isCurrency(code) ? code : unfit(`must be an ISO 4217 currency code: ${code}`);
}

/** A two-letter country code of ISO 3166-1, in any case. */
export function readCountry(value: unknown): string {
  const code = readText(value, 255).toUpperCase();
  if (isCountry(code)) return code;
  const meant = assignedCountryCode(code);
  return unfit(`must be a two-letter country code of ISO 3166-1${meant ? `; did you mean ${meant}?` : `: ${code}`}`);
}

export function readLanguage(value: unknown): string {
  const code = readText(value, 255).toLowerCase();
  return /^[a-z]{2}$/.test(code) ? code : unfit(`must be a two-letter ISO language code: ${code}`);
}

export function readColour(value: unknown): string {
  const text = readText(value, 255);
  return parseColour(text) ?? unfit(`must be a colour such as #1d4ed8: ${text}`);
}

export function readMetadata(value: unknown): Record<string, string> {
  if (Array.isArray(value) && value.length === 0) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isSent(value))
    return unfit('must be an object');
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  if (entries.length > 10) unfit('may have at most 10 keys');
  return Object.fromEntries(entries.map(([key, part]) => [readKey(key), readMetadataValue(key, part)]));
}

function readKey(key: string): string {
  return isLonger(key, 40) ? unfit(`may have keys of at most 40 characters: ${cut(key)}`) : readText(key, 40);
}

/** Metadata values are text; numbers and booleans are converted. */
function readMetadataValue(key: string, part: unknown): string {
  const text = isSent(part) ? part.text : typeof part === 'boolean' ? String(part) : part;
  if (typeof text !== 'string') return unfit(`must have text as values: ${cut(key)}`);
  return isLonger(text, 255) ? unfit(`may have values of at most 255 characters: ${cut(key)}`) : readText(text, 255);
}

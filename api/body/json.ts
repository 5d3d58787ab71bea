import { Refusal } from '../../billing/refusal.ts';
import { fromNumber } from './sent.ts';

/** About as many as 4 MiB of the API's own JSON contain. Parsing blocks all other requests, so larger bodies are refused. */
const MOST_VALUES = 100_000;
/** No endpoint takes a body deeper than six levels. */
const DEEPEST = 32;
/** Objects in responses have far fewer members. Objects with very many are slow to build. */
const MOST_MEMBERS = 1000;

/** These patterns are sticky: they match only at `lastIndex`. */
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A string without escapes and control characters. */
const PLAIN_STRING = /"[ !#-[\]-\uffff]*"/y;

interface Reader {
  readonly text: string;
  at: number;
  values: number;
}

/**
 * Parses JSON text. Numbers become `Sent`, which keeps their digits as written. Throws SyntaxError for malformed JSON, and a Refusal as soon
 * as the text has too many values or levels.
 */
export function parseJson(text: string): unknown {
  const reader: Reader = { text, at: 0, values: 0 };
  const value = readValue(reader, 1);
  skipSpace(reader);
  return reader.at === text.length ? value : malformed(reader);
}

/** Reads a value. Skips space before it. */
function readValue(reader: Reader, level: number): unknown {
  skipSpace(reader);
  reader.values += 1;
  if (reader.values > MOST_VALUES)
    throw new Refusal('body_too_large', `The request body may have at most ${MOST_VALUES} values`);
  switch (reader.text[reader.at]) {
    case '{':
      return readObject(reader, level);
    case '[':
      return readList(reader, level);
    case '"':
      return readString(reader);
    case 't':
      return readWord(reader, 'true', true);
    case 'f':
      return readWord(reader, 'false', false);
    case 'n':
      return readWord(reader, 'null', null);
    default:
      return fromNumber(matched(reader, NUMBER) ?? malformed(reader));
  }
}

function readObject(reader: Reader, level: number): object {
  descend(reader, level);
  const object: Record<string, unknown> = {};
  if (passes(reader, '}')) return object;
  let members = 0;
  do {
    skipSpace(reader);
    members += 1;
    if (members > MOST_MEMBERS)
      throw new Refusal('body_too_large', `An object in the request body may have at most ${MOST_MEMBERS} fields`);
    const name = readString(reader);
    if (!passes(reader, ':')) malformed(reader);
    const value = readValue(reader, level + 1);
    if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
    else object[name] = value;
  } while (goesOn(reader, '}'));
  return object;
}

function readList(reader: Reader, level: number): unknown[] {
  descend(reader, level);
  const list: unknown[] = [];
  if (passes(reader, ']')) return list;
  do list.push(readValue(reader, level + 1));
  while (goesOn(reader, ']'));
  return list;
}

/** Moves past the bracket that opens an object or a list. */
function descend(reader: Reader, level: number): void {
  if (level > DEEPEST)
    throw new Refusal('body_too_large', `The request body may be nested at most ${DEEPEST} levels deep`);
  reader.at += 1;
}

/** Skips space. If the next character is this one, moves past it and returns true. */
function passes(reader: Reader, character: string): boolean {
  skipSpace(reader);
  if (reader.text[reader.at] !== character) return false;
  reader.at += 1;
  return true;
}

/** Reads the comma or the closing bracket after an element. True for a comma: another element follows. */
function goesOn(reader: Reader, close: string): boolean {
  if (passes(reader, ',')) return true;
  return passes(reader, close) ? false : malformed(reader);
}

function readString(reader: Reader): string {
  const plain = matched(reader, PLAIN_STRING);
  if (plain !== null) return plain.slice(1, -1);
  const { text, at } = reader;
  if (text[at] !== '"') malformed(reader);
  const end = closingQuote(text, at + 1) ?? malformed(reader);
  reader.at = end + 1;
  const value: unknown = JSON.parse(text.slice(at, end + 1));
  return typeof value === 'string' ? value : malformed(reader);
}

/** Position of the next unescaped quote; null when there is none. */
function closingQuote(text: string, from: number): number | null {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote;
  }
  return null;
}

function readWord<Value>(reader: Reader, word: string, value: Value): Value {
  if (!reader.text.startsWith(word, reader.at)) malformed(reader);
  reader.at += word.length;
  return value;
}

function skipSpace(reader: Reader): void {
  matched(reader, SPACE);
}

/** Returns the pattern's match at this position and moves past it. Null when there is no match. */
function matched(reader: Reader, pattern: RegExp): string | null {
  const from = reader.at;
  pattern.lastIndex = from;
  if (!pattern.test(reader.text)) return null;
  reader.at = pattern.lastIndex;
  return reader.text.slice(from, reader.at);
}

function malformed({ at }: Reader): never {
  throw new SyntaxError(`unexpected text at ${at}`);
}

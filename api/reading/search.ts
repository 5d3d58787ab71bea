import { Refusal } from '../../billing/refusal.ts';
import { MOST_SEARCH_WORDS, type SearchWord, searchWords } from '../../billing/searchWords.ts';
import type { Reading, Rows } from '../../db/queries/kernel/reading.ts';
import { hasWords, type Sample, type Search, type Searching, searchField } from '../../db/queries/kernel/search.ts';
import { all } from '../../db/queries/kernel/sql.ts';
import { METADATA } from '../../db/schema/indexes.ts';
import * as fields from '../body/fields.ts';
import { type Resource, readParameter } from '../framework/resource.ts';
import type { Contained } from './filters.ts';
import { type Asked, type Found, readSlice, type Slices } from './slice.ts';

/** The search of the parameter `search`; null if it is absent or empty. Throws a Refusal if it has no word or too many. */
export function searchIn<Row extends object>(query: URLSearchParams, { searchable }: Resource<Row>): Search | null {
  const text = query.get('search') ?? '';
  if (text === '' || !searchable) return null;
  return { searchable, words: wordsOf(text, 'search') };
}

function wordsOf(text: string, param: string): SearchWord[] {
  const words = searchWords(readParameter(fields.text(), text, param));
  if (words.length === 0)
    throw new Refusal('parameter_invalid', `${param} must have a word of two characters or more`, param);
  if (words.length > MOST_SEARCH_WORDS)
    throw new Refusal('parameter_invalid', `${param} may have at most ${MOST_SEARCH_WORDS} words`, param);
  return words;
}

/**
 * The search of the words that filters want in one column. Throws a Refusal if it is one of several searches: only one index of words finds the
 * rows.
 */
export function containedIn<Row extends object>(
  contained: readonly Contained[],
  { searchable }: Resource<Row>,
  searched: Search | null,
): Search | null {
  const [only, other] = contained;
  if (!only || !searchable) return null;
  if (other || searched)
    throw new Refusal(
      'filter_unbounded',
      `${only.param} is a search, and a list takes one: leave out ${other?.param ?? 'search'}`,
      other?.param ?? only.param,
    );
  return { searchable: searchField(searchable, only.column), words: wordsOf(only.text, only.param) };
}

/** Number of the newest rows that tell how a search is answered. */
const SAMPLED = 1000;
/** A search is answered by walking the list if at least this share of the newest rows matches, and so many rows in all. */
const DENSE = 0.01;
const MANY = 20_000;
/** How long the list may be walked for a page. */
const WALK_MILLISECONDS = 1500;

interface Readings {
  reading: Reading;
  searching: Searching;
}

interface Searched<Row extends object> {
  asked: Asked<Row>;
  search: Search;
}

/**
 * Reads a page of a search and its total. A search that matches much of a list is answered by walking the list until the page is full: the
 * index of words would find all matches first. Any other search is answered by the index.
 */
export async function readSearch<Row extends object>(
  { reading, searching }: Readings,
  { asked, search }: Searched<Row>,
): Promise<{ found: Found<Row>; total: number }> {
  if (asked.rows.where.sql.includes(METADATA)) return readByIndex(searching, { asked, search });
  const sample = await searching.sample(search, asked.rows, SAMPLED);
  const walked = { ...asked, rows: withWords(asked.rows, search) };
  if (sample.rows < SAMPLED) return { found: await readSlice(reading, walked), total: sample.matches };
  const many = await manyMatches(reading, asked.rows, sample);
  const page = many && (await reading.within(walked.rows, WALK_MILLISECONDS, (inner) => readSlice(inner, walked)));
  if (many && page) return { found: page, total: many };
  return readByIndex(searching, { asked, search });
}

/** Only an index finds rows by metadata, so such a search neither samples nor walks the list. */
async function readByIndex<Row extends object>(
  searching: Searching,
  { asked, search }: Searched<Row>,
): Promise<{ found: Found<Row>; total: number }> {
  let total = 0;
  const byIndex: Slices = {
    slice: async (slice) => {
      const matches = await searching.byIndex(search, slice);
      total = matches.total;
      return matches.placed;
    },
  };
  const found = await readSlice(byIndex, asked);
  return { found, total };
}

function withWords<Row extends object>(rows: Rows<Row>, { searchable, words }: Search): Rows<Row> {
  return { ...rows, where: all([rows.where, hasWords(searchable, words)]) };
}

/** The rows in which a search finds all its words, found by the index of words. It is read as the system: policies use no such index. */
export function matching<Row extends object>(
  rows: Rows<Row>,
  { searchable, words }: Search,
  accountId: number,
): Rows<Row> {
  const keys = words.map((word) => searchable.byKey(word, accountId));
  return { ...rows, where: all([rows.where, ...keys, hasWords(searchable, words)]) };
}

/** The estimated number of matches of a list that is walked; null for one that is not. */
async function manyMatches<Row extends object>(
  reading: Reading,
  rows: Rows<Row>,
  sample: Sample,
): Promise<number | null> {
  const share = sample.matches / sample.rows;
  if (share < DENSE) return null;
  const matches = Math.round(share * (await reading.estimate(rows)));
  return matches > MANY ? matches : null;
}

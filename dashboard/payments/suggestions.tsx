import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import type { Answer, Client } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { Panel } from '../customers/panel.tsx';
import { useFormats } from '../formats.ts';
import { idIn, type Row, textOf } from '../kinds/kind.ts';
import { asShown, canTo, type Own } from '../objects/read.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useSingle } from '../shell/single.ts';
import { useWords } from '../words.ts';
import { appliedOf, sentApplied } from './applied.ts';
import { useReceivingWords } from './words.ts';
import '../styles/payments.css';

export type Match = Answer<'get', '/payments/{id}/matches'>[number];

/** A payment with its tag, and the invoices that it may be meant for. */
export interface Waiting {
  row: Row;
  etag: string | null;
  matches: readonly Match[];
}

/** What became of a payment that waited. `isWhole`: nothing of it waits any more. */
export type Became =
  | { what: 'applied'; match: Match; before: Waiting; etag: string | null; isWhole: boolean }
  | { what: 'refused' };

/** Whether a payment may have suggestions: people and bank statements do not name invoices, programs do. */
export const isMatched = ({ voided, charge, source, balance }: Row): boolean =>
  voided !== true &&
  !charge &&
  (source === 'keyed' || source === 'bank_feed') &&
  typeof balance === 'number' &&
  balance > 0;

const readMatches = (api: Client, id: number) =>
  api.get('/payments/{id}/matches', { id, expand: 'customer,applied_to.invoice' });

/** Reads a payment that waits, with its suggestions. */
export async function readWaiting(api: Client, id: number): Promise<Waiting> {
  const [{ data, etag }, matches] = await Promise.all([
    api.full('get', '/payments/{id}', { id, include: 'applied_to', expand: 'customer' }),
    readMatches(api, id),
  ]);
  return { row: { ...data }, etag, matches };
}

/** Accepts a suggestion, on the version of the payment that is shown. */
export async function accept(api: Client, before: Waiting, match: Match): Promise<Became> {
  const { row } = before;
  const parts = match.applied_to.map(({ type, amount, ...of }) => {
    const named = Object.entries(of).flatMap(([name, value]): [string, unknown][] => {
      if (value === null || value === undefined) return [];
      return [[name, typeof value === 'object' ? Number(idIn(value)) : value]];
    });
    return Object.assign({ type, amount }, Object.fromEntries(named));
  });
  const body = { customer: Number(idIn(match.customer)), applied_to: parts };
  const made = await asShown(api, before).full('patch', '/payments/{id}', body, { id: Number(row.id) });
  return { what: 'applied', match, before, etag: made.etag, isWhole: made.data.balance === 0 };
}

/** Takes an accepted suggestion back: the payment is as it was before. */
export async function takeBack(
  api: Client,
  { before, etag }: Extract<Became, { what: 'applied' }>,
  formats: ReturnType<typeof useFormats>,
): Promise<void> {
  const customer = idIn(before.row.customer);
  const body: object = {
    customer: customer === '' ? null : Number(customer),
    applied_to: sentApplied(appliedOf(before.row, formats), formats),
  };
  await asShown(api, { etag }).patch('/payments/{id}', Object.assign({}, body), { id: Number(before.row.id) });
}

/** Names of the invoices that a suggestion pays. */
export const numbersIn = ({ applied_to: parts }: Match): string =>
  parts
    .flatMap(({ invoice }) => {
      if (typeof invoice !== 'object' || invoice === null) return invoice ? [String(invoice)] : [];
      const row: Row = { ...invoice };
      return [textOf(row, 'number') || textOf(row, 'name')];
    })
    .join(', ');

export const payerOf = ({ customer }: Match): string =>
  typeof customer === 'object' && customer !== null ? textOf({ ...customer }, 'name') : String(customer);

/** Suggestions for the payment that is shown, on its page. */
export function PaymentSuggestions(own: Own) {
  const words = useReceivingWords();
  const formats = useFormats();
  const { session, me } = useRouteContext({ from: '__root__' });
  const queries = useQueryClient();
  const single = useSingle();
  const id = Number(own.id);
  const isAsked = isMatched(own.row) && canTo(me, 'payments.write', own.row);
  const matches = useQuery({
    queryKey: ['matches', own.id, own.etag],
    queryFn: () => readMatches(session.api, id),
    enabled: isAsked,
  });
  const act = useMutation({
    mutationFn: async (match: Match | null): Promise<Became> => {
      if (match) return accept(session.api, { ...own, matches: matches.data ?? [] }, match);
      await session.api.delete('/payments/{id}/matches', { id });
      return { what: 'refused' };
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  const undo = useMutation({
    mutationFn: (became: Extract<Became, { what: 'applied' }>) => takeBack(session.api, became, formats),
    onSuccess: () => {
      act.reset();
      return queries.invalidateQueries();
    },
  });
  const error = act.error ?? undo.error;
  if (!isAsked && !act.data) return null;
  return (
    <Panel title={words.suggestions} error={matches.error}>
      {error && <ErrorNote error={error} />}
      {act.data ? (
        <Told became={act.data} undo={(became) => single(() => undo.mutateAsync(became))} />
      ) : (
        <Choices
          matches={matches.data ?? null}
          choose={(match) => single(() => act.mutateAsync(match))}
          isBusy={act.isPending}
        />
      )}
    </Panel>
  );
}

interface ToldShown {
  became: Became;
  undo(became: Extract<Became, { what: 'applied' }>): void;
}

/** What became of a payment, and the way back. */
export function Told({ became, undo }: ToldShown) {
  const words = useReceivingWords();
  if (became.what === 'refused') return <p role="status">{words.refusedThese}</p>;
  const { match } = became;
  return (
    <p role="status" className="matched">
      <span>{fill(words.wasApplied, { numbers: numbersIn(match), name: payerOf(match) })}</span>{' '}
      <Button className="plain" onPress={() => undo(became)}>
        {words.undo}
      </Button>
    </p>
  );
}

interface ChoicesShown {
  /** Null: they are being read. */
  matches: readonly Match[] | null;
  /** Null: none of them. */
  choose(match: Match | null): void;
  isBusy: boolean;
}

/** The suggestions, the likeliest first. */
export function Choices({ matches, choose, isBusy }: ChoicesShown) {
  const words = useReceivingWords();
  const { loading } = useWords();
  if (matches === null) return <p role="status">{loading}</p>;
  const [first, ...others] = matches;
  if (!first) return <p className="none">{words.noSuggestion}</p>;
  return (
    <div className="choices">
      <Choice match={first} choose={choose} isBusy={isBusy} isFirst />
      {others.length > 0 && (
        <details>
          <summary>
            {words.further} ({others.length})
          </summary>
          {others.map((match) => (
            <Choice key={match.rank} match={match} choose={choose} isBusy={isBusy} />
          ))}
        </details>
      )}
      <Button className="plain" isDisabled={isBusy} onPress={() => choose(null)}>
        {words.notThese}
      </Button>
    </div>
  );
}

interface ChoiceShown extends Omit<ChoicesShown, 'matches'> {
  match: Match;
  isFirst?: boolean;
}

function Choice({ match, choose, isBusy, isFirst = false }: ChoiceShown) {
  const words = useReceivingWords();
  const names = { numbers: numbersIn(match), name: payerOf(match) };
  return (
    <div className="choice">
      <div>
        <strong dir="auto">{names.name}</strong> <span dir="auto">{names.numbers}</span>
        <ul className="reasons">
          {match.reasons.map((reason) => (
            <li key={reason} dir="auto">
              {reason}
            </li>
          ))}
        </ul>
      </div>
      <Button
        className={isFirst ? 'primary' : 'secondary'}
        aria-label={fill(words.acceptOf, names)}
        isDisabled={isBusy}
        onPress={() => choose(match)}
      >
        {words.accept}
      </Button>
    </div>
  );
}

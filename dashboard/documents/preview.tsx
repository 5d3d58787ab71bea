import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { BesideShown, Values } from '../forms/field.ts';
import type { Row } from '../kinds/kind.ts';
import { Money } from '../lists/value.tsx';
import { rowsIn, sumsOf } from '../objects/sums.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useSettled } from '../shell/settled.ts';
import { useWords } from '../words.ts';
import { type DocumentList, foresee } from './editors.ts';
import { tellForeseen } from './foreseen.ts';
import { filledIn, type Line } from './lines.ts';
import { useInvoicingWords } from './words.ts';

/** How long somebody must have stopped typing before the totals, and the picture, are asked for. */
const TOTALS_MILLISECONDS = 250;
const PICTURE_MILLISECONDS = 1200;

/** Documents with more lines show their picture when it is asked for. */
const MOST_DRAWN = 200;

/** The totals and the pages of a document as it would be issued, by a dry run of what the form would send. */
export function documentPreview(list: DocumentList) {
  return function DocumentPreview({ id, row, values, body: sent }: BesideShown) {
    const words = useInvoicingWords();
    const body = row?.draft === true ? { ...sent, draft: false } : sent;
    const lines = linesIn(values);
    const hasCustomer = row !== null || sent.customer !== undefined;
    return (
      <aside className="foreseen" aria-label={words.totals}>
        <h2>{words.totals}</h2>
        {hasCustomer ? (
          <>
            <Totals list={list} id={id} body={body} lines={lines} isDraft={row === null || row.draft === true} />
            <Pages list={list} id={id} body={body} lines={lines} />
          </>
        ) : (
          <p className="none">{words.noTotals}</p>
        )}
      </aside>
    );
  };
}

const linesIn = ({ items }: Values): Line[] => (typeof items === 'object' && 'lines' in items ? filledIn(items) : []);

interface Asked {
  list: DocumentList;
  id: string | null;
  body: Record<string, unknown>;
  lines: readonly Line[];
}

/** The answer to a dry run of a body. The answer to the body before stays until it is there. */
function useDryRun({ list, id, body, lines }: Asked, how: { isPictured: boolean; after: number; isWanted: boolean }) {
  const { session } = useRouteContext({ from: '__root__' });
  // The keys of the lines go along with the body, because the lines may have moved when the answer comes.
  const settled = useSettled({ body, keys: lines.map(({ key }) => key) }, how.after);
  return useQuery({
    queryKey: ['dry run', list, id, how.isPictured, settled],
    queryFn: async ({ signal }) => ({
      keys: settled.keys,
      ...(await foresee(session.api.with({ signal }), { list, id, body: settled.body, ...how })),
    }),
    enabled: how.isWanted,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

function Totals({ isDraft, ...asked }: Asked & { isDraft: boolean }) {
  const words = useInvoicingWords();
  const { fields } = useWords();
  const dryRun = useDryRun(asked, { isPictured: false, after: TOTALS_MILLISECONDS, isWanted: true });
  const { data, isError, error, isFetching } = dryRun;
  useEffect(() => {
    if (!data || isError) return tellForeseen(null);
    const amounts = rowsIn(data.document, 'items').flatMap(({ amount }, place): [string, number][] => {
      const key = data.keys[place];
      return key !== undefined && typeof amount === 'number' ? [[key, amount]] : [];
    });
    tellForeseen({ amounts: new Map(amounts), currency: currencyIn(data.document) });
  }, [data, isError]);
  useEffect(() => () => tellForeseen(null), []);
  if (isError) return <ErrorNote error={error} />;
  if (!data) return <p role="status">{words.computing}</p>;
  const { document } = data;
  return (
    <>
      <dl className="sums" aria-busy={isFetching} aria-live="polite">
        {sumsOf(document, fields).map(({ name, amount }) => (
          <div key={name}>
            <dt dir="auto">{name}</dt>
            <dd>
              <Money amount={amount} currency={currencyIn(document)} />
            </dd>
          </div>
        ))}
      </dl>
      {isDraft && document.draft === true && <p className="note">{words.staysDraft}</p>}
    </>
  );
}

const currencyIn = ({ currency }: Row): string | null => (typeof currency === 'string' ? currency : null);

function Pages(asked: Asked) {
  const words = useInvoicingWords();
  const [isAsked, setAsked] = useState(false);
  const isWanted = isAsked || asked.lines.length <= MOST_DRAWN;
  const drawn = useDryRun(asked, { isPictured: true, after: PICTURE_MILLISECONDS, isWanted });
  if (!isWanted)
    return (
      <Button className="secondary" onPress={() => setAsked(true)}>
        {words.showPicture}
      </Button>
    );
  const { data, isFetching, isError } = drawn;
  if (!data || isError) return null; // why there is none, the totals tell
  if (data.svg === null) return <p className="none">{words.noPicture}</p>;
  return (
    <figure className="paper" aria-busy={isFetching}>
      <figcaption>{words.picture}</figcaption>
      <img src={`data:image/svg+xml,${encodeURIComponent(data.svg)}`} alt={words.pictureOf} />
    </figure>
  );
}

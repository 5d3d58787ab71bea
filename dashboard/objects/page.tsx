import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouteContext } from '@tanstack/react-router';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { EditLink } from '../forms/routes.tsx';
import { kindOfList } from '../kinds/all.ts';
import { type Kind, labelOf, type Row, textOf } from '../kinds/kind.ts';
import { useNow } from '../lists/now.ts';
import { Choice, currencyOf, isVoided, Marks, Money, titleOf, Value } from '../lists/value.tsx';
import { useRemembered, useToldLater } from '../shell/kept.ts';
import { NotFound, PageProblem } from '../shell/problem.tsx';
import { CopyButton } from '../shell/taking.tsx';
import { useTitle } from '../shell/title.ts';
import { useWords } from '../words.ts';
import { AsApi } from './asApi.tsx';
import { Audit } from './audit.tsx';
import { Facts } from './facts.tsx';
import { Applications, Lines } from './lines.tsx';
import { OwnActs, OwnPanels } from './own.tsx';
import { InvoicePlan } from './planned.tsx';
import { objectKey, readObject } from './read.ts';
import { RelatedList } from './related.tsx';
import { Timeline, useTimeline } from './timeline.tsx';

/** The page of one object, of any kind. */
export function ObjectPage() {
  const { list, id } = useParams({ from: '/$list/$id' });
  const kind = kindOfList(list);
  return kind ? <One key={`${list}/${id}`} kind={kind} id={id} /> : <NotFound />;
}

function One({ kind, id }: { kind: Kind; id: string }) {
  const words = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const one = useQuery({ queryKey: objectKey(kind, id), queryFn: () => readObject(session, { kind, id }) });
  const title = one.data ? titleOf(kind, one.data.row, words.choices) : '';
  useRemembered({ list: kind.list, id }, one.isSuccess);
  useTitle(title);
  const told = useToldLater();
  if (one.isError) return <PageProblem error={one.error} again={() => one.refetch()} />;
  if (one.isPending) return <p role="status">{words.loading}</p>;
  const { row } = one.data;
  return (
    <>
      <Link className="back" to="/$list" params={{ list: kind.list }} search={{}}>
        {fill(words.backToList, { place: words.place[kind.list] })}
      </Link>
      <HeadOf kind={kind} row={row} id={id} />
      <p role="status" className="told">
        {told}
      </p>
      <OwnActs kind={kind} {...one.data} id={id} />
      <div className="object">
        <div>
          <OwnPanels kind={kind} {...one.data} id={id} />
          <Facts kind={kind} row={row} />
          <Lines row={row} />
          <Applications row={row} />
          {kind.related.map((related) => (
            <RelatedList key={related.list} related={related} id={id} row={row} />
          ))}
          <AsApi kind={kind} row={row} id={id} />
        </div>
        <div>
          {kind.timeline && <Timeline kind={kind} id={id} />}
          <Audit kind={kind} id={id} />
        </div>
      </div>
    </>
  );
}

interface Shown {
  kind: Kind;
  row: Row;
  id: string;
}

/** What it is, how it stands, and what comes next. */
function HeadOf({ kind, row, id }: Shown) {
  const words = useWords();
  const status = kind.fields.find(({ name }) => name === kind.status);
  const amount = kind.amount ? row[kind.amount] : null;
  const { customer } = row;
  return (
    <header className="head">
      <div>
        <h1 dir="auto">{titleOf(kind, row, words.choices)}</h1>
        {status && <Choice field={status} value={textOf(row, status.name)} />}
        {isVoided(kind, row) && <span className="status voided">{words.fields.voided}</span>}
        <Marks kind={kind} row={row} />
        {typeof amount === 'number' && (
          <strong className="amount">
            <Money amount={amount} currency={currencyOf(row)} />
          </strong>
        )}
      </div>
      {typeof customer === 'object' && customer !== null && <OfCustomer row={{ ...customer }} />}
      <Clock row={row} />
      <FailureOf kind={kind} row={row} />
      <Deadline kind={kind} row={row} />
      {kind.timeline && <NextStep kind={kind} id={id} row={row} />}
      <div className="acts">
        {typeof row.pdf_url === 'string' && (
          <a className="button secondary" href={row.pdf_url} target="_blank" rel="noreferrer">
            {words.pdf}
          </a>
        )}
        {!kind.isOver?.(row) && <EditLink kind={kind} id={id} />}
        <CopyButton className="secondary" text={id} label={words.copyId} />
      </div>
    </header>
  );
}

/** Why the automatic payment of an invoice failed, and when it is tried again. */
function FailureOf({ kind, row }: { kind: Kind; row: Row }) {
  const field = kind.fields.find(({ name }) => name === 'payment_failure');
  return field && row.payment_failure ? (
    <p>
      <Value field={field} row={row} />
    </p>
  ) : null;
}

function OfCustomer({ row }: { row: Row }) {
  return (
    <p>
      <Link to="/$list/$id" params={{ list: 'customers', id: textOf(row, 'id') }} dir="auto">
        {textOf(row, 'name')}
      </Link>
    </p>
  );
}

/** Objects of a customer on a test clock live in its time. */
function Clock({ row }: { row: Row }) {
  const words = useWords();
  const formats = useFormats();
  const { at, isOfClock } = useNow(row);
  if (!isOfClock || at === null) return null;
  return <p className="clock">{fill(words.clockToday, { day: formats.day(at) })}</p>;
}

/** Until when somebody has to act, as long as somebody still has. */
function Deadline({ kind: { deadline, fields }, row }: Pick<Shown, 'kind' | 'row'>) {
  const words = useWords();
  const formats = useFormats();
  const { at: now } = useNow(row);
  const field = fields.find(({ name }) => name === deadline?.name);
  const at = deadline && row[deadline.name];
  if (!field || typeof at !== 'number' || !deadline?.isOpen(row)) return null;
  return (
    <p className="next">
      <strong>{labelOf(field, words.fields)}:</strong> {formats.time(at)}
      {now !== null && ` (${formats.away(at, now)})`}
    </p>
  );
}

function NextStep({ kind, id, row }: Shown) {
  const words = useWords();
  const formats = useFormats();
  const timeline = useTimeline({ kind, id }, true);
  const next = timeline.data?.[0];
  if (timeline.data && !next && kind.object === 'invoice') return <InvoicePlan row={row} />;
  if (!next) return null;
  return (
    <p className="next">
      <strong>{words.nextStep}:</strong> {formats.day(next.timestamp)} – <span dir="auto">{next.what}</span>
    </p>
  );
}

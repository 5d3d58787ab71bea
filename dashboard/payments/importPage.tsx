import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { can } from '../session.ts';
import { ErrorNote, Problem } from '../shell/problem.tsx';
import { useSingle } from '../shell/single.ts';
import { useTitle } from '../shell/title.ts';
import { useWords } from '../words.ts';
import { HowItIsRead } from './howItIsRead.tsx';
import {
  type Chosen,
  countsOf,
  importStatement,
  madeBy,
  type Reading,
  readStatement,
  type Tried,
  withAnswers,
} from './statement.ts';
import { StatementRows } from './statementRows.tsx';
import { useCounted, useReceivingWords } from './words.ts';
import '../styles/payments.css';

/** The largest file that the API takes. */
const MOST_BYTES = 10 * 1024 * 1024;

/** The upload of a bank statement: what is in it is shown before it is stored. */
export function ImportPage() {
  const { statement: words } = useReceivingWords();
  const { backToList, place } = useWords();
  const [file, setFile] = useState<File | null>(null);
  const [made, setMade] = useState<Tried | null>(null);
  useTitle(words.title);
  return (
    <>
      <Link className="back" to="/$list" params={{ list: 'payments' }} search={{}}>
        {fill(backToList, { place: place.payments })}
      </Link>
      <h1>{words.title}</h1>
      <p>{words.what}</p>
      {made ? (
        <Imported
          made={made}
          again={() => {
            setMade(null);
            setFile(null);
          }}
        />
      ) : (
        <>
          <FileInput file={file} choose={setFile} />
          {file && <Preview key={`${file.name} ${file.size} ${file.lastModified}`} file={file} done={setMade} />}
        </>
      )}
    </>
  );
}

/** The file, chosen or dropped. */
function FileInput({ file, choose }: { file: File | null; choose(file: File): void }) {
  const { statement: words } = useReceivingWords();
  const [isOver, setOver] = useState(false);
  const [isTooLarge, setTooLarge] = useState(false);
  const id = useId();
  const take = (chosen: File | undefined) => {
    if (!chosen) return;
    setTooLarge(chosen.size > MOST_BYTES);
    if (chosen.size <= MOST_BYTES) choose(chosen);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are chosen by the field in it, too
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      }}
    >
      <label htmlFor={id}>{words.file}</label>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,.xml,.sta,.mt940,.940,.tsv"
        onChange={({ target }) => take(target.files?.[0])}
      />
      <small>{file ? file.name : words.drop}</small>
      {isTooLarge && (
        <p className="error" role="alert">
          {words.tooLarge}
        </p>
      )}
    </div>
  );
}

/** A statement as it was shown. */
interface Read {
  reading: Reading;
  rows: Tried['rows'];
}

interface PreviewShown {
  file: File;
  done(made: Tried): void;
}

/** What is in the statement, and what an import would do with it. */
function Preview({ file, done }: PreviewShown) {
  const { statement: words } = useReceivingWords();
  const counted = useCounted();
  const { session } = useRouteContext({ from: '__root__' });
  const queries = useQueryClient();
  const single = useSingle();
  const [chosen, setChosen] = useState<Chosen>({});
  const tried = useQuery({
    queryKey: ['statement', file.name, file.size, file.lastModified, chosen],
    queryFn: ({ signal }) => readStatement(session.api.with({ signal }), { file, chosen }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const store = useMutation({
    mutationFn: async ({ reading, rows }: Read) =>
      withAnswers(rows, await importStatement(session.api.with({ idempotencyKey: key }), { file }, reading)),
    onSuccess: async (made) => {
      done(made);
      await queries.invalidateQueries();
    },
  });
  const { data, error, isError, isPlaceholderData } = tried;
  const reading = data?.reading ?? null;
  const known = useRef<Reading | null>(null);
  if (reading) known.current = reading;
  const key = useKey(JSON.stringify(reading));
  const fresh = data ? countsOf(data.rows).created : 0;
  return (
    <>
      {tried.isPending && <p role="status">{words.reading}</p>}
      {isError && <Problem error={error} again={() => tried.refetch()} />}
      {known.current?.format === 'csv' && <HowItIsRead reading={known.current} chosen={chosen} choose={setChosen} />}
      {data && !isError && (
        <>
          {store.isError && <ErrorNote error={store.error} />}
          <div className="tools">
            {fresh > 0 && reading ? (
              <Button
                className="primary"
                isDisabled={isPlaceholderData || store.isPending}
                onPress={() => single(() => store.mutateAsync({ reading, rows: data.rows }))}
              >
                {counted(words.importThem, fresh)}
              </Button>
            ) : (
              data.rows.length > 0 && <p className="none">{words.nothingNew}</p>
            )}
          </div>
          <StatementRows rows={data.rows} isBusy={isPlaceholderData} />
        </>
      )}
    </>
  );
}

/** The key of a write, the same as long as it would send the same. */
function useKey(sent: string): string {
  const keys = useRef(new Map<string, string>());
  const known = keys.current.get(sent) ?? crypto.randomUUID();
  keys.current.set(sent, known);
  return known;
}

/** What an import has made, and how it goes on. */
function Imported({ made, again }: { made: Tried; again(): void }) {
  const { statement: words } = useReceivingWords();
  const counted = useCounted();
  const { session, me } = useRouteContext({ from: '__root__' });
  const queries = useQueryClient();
  const single = useSingle();
  const payments = madeBy(made);
  const key = useKey(payments.join());
  const undo = useMutation({
    mutationFn: () => session.api.with({ idempotencyKey: key }).post('/payments/import/undo', { payments }),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <>
      <p role="status">
        <strong>{counted(words.imported, payments.length)}</strong>
      </p>
      {undo.data && <Undone answers={undo.data.payments} />}
      {undo.isError && <ErrorNote error={undo.error} />}
      <div className="tools">
        {!undo.data && (
          <Link className="button" to="/payments/match">
            {words.matchThem}
          </Link>
        )}
        {!undo.data && payments.length > 0 && can(me, 'corrections.write') && (
          <Button className="secondary" isDisabled={undo.isPending} onPress={() => single(() => undo.mutateAsync())}>
            {words.undoImport}
          </Button>
        )}
        <Button className="secondary" onPress={again}>
          {words.another}
        </Button>
      </div>
      {!undo.data && can(me, 'corrections.write') && <p className="hint">{words.undoWhat}</p>}
      <StatementRows rows={made.rows} isBusy={false} />
    </>
  );
}

interface UndoneShown {
  answers: readonly { payment: number; status: string; error?: { message: string } }[];
}

/** Which payments of an import are taken back, and which stay. */
function Undone({ answers }: UndoneShown) {
  const { statement: words } = useReceivingWords();
  const counted = useCounted();
  const kept = answers.filter(({ status }) => status !== 'undone');
  return (
    <div role="status">
      <p>{counted(words.undone, answers.length - kept.length)}</p>
      {kept.length > 0 && (
        <>
          <p>{counted(words.notUndone, kept.length)}</p>
          <ul>
            {kept.map(({ payment, error }) => (
              <li key={payment} dir="auto">
                <Link to="/$list/$id" params={{ list: 'payments', id: String(payment) }}>
                  {payment}
                </Link>
                : {error?.message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

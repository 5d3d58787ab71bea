import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, Dialog, Heading, Label, Modal, ModalOverlay, ProgressBar } from 'react-aria-components';
import type { Answer } from '../../client/index.ts';
import type { ActWords } from '../../words/dashboard/wording.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { kindOfList } from '../kinds/all.ts';
import { type Kind, type Row, textOf } from '../kinds/kind.ts';
import { readPage } from '../lists/rows.ts';
import { titleOf } from '../lists/value.tsx';
import { useActingWords } from '../objects/acting.ts';
import { withNames } from '../objects/operations.ts';
import { useWords } from '../words.ts';
import { ErrorNote } from './problem.tsx';
import { saveFile } from './taking.tsx';

export type Job = Answer<'get', '/jobs/{id}'>;

/** Key of the jobs that run; to be read anew when one begins or ends. */
export const JOBS = ['jobs'];

const LOOK_MILLISECONDS = 800;
const MOST = 10;

/** The acts on many objects that the person began and that run, on whatever page it is; those that ended meanwhile stay until they are closed. */
export function Jobs() {
  const words = useWords();
  const formats = useFormats();
  const { session, me } = useRouteContext({ from: '__root__' });
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set());
  const [open, setOpen] = useState<Job | null>(null);
  const jobs = useQuery({
    queryKey: JOBS,
    queryFn: async () => {
      const latest = await session.api.get('/jobs', { sort: 'created_at desc', per_page: MOST });
      const own = latest.filter(({ type, member }) => type === 'bulk' && member === me.member?.id);
      setSeen((before) => new Set([...before, ...own.filter((job) => !isOver(job)).map(({ id }) => id)]));
      return own;
    },
    enabled: me.member !== null,
    refetchInterval: ({ state }) => (state.data?.every(isOver) === false ? 2 * LOOK_MILLISECONDS : false),
  });
  const shown = jobs.data?.filter(({ id }) => seen.has(id) && !closed.has(id)) ?? [];
  const nameOfJob = ({ action, total }: Job) => {
    const act = action === null ? '' : words.acts[action];
    return fill(words.acts.onCount, { act, count: total === null ? '…' : formats.number(total) });
  };
  if (shown.length === 0) return null;
  return (
    <section className="jobs" aria-label={words.acts.jobs}>
      {shown.map((job) => (
        <div key={job.id}>
          <Button className="secondary" onPress={() => setOpen(job)}>
            {nameOfJob(job)}
          </Button>
          <span role="status">
            {howFar(words.acts, job)}
            {job.status !== 'done' &&
              job.refused_count > 0 &&
              ` · ${fill(words.acts.refused, { count: job.refused_count })}`}
          </span>
          {isOver(job) && (
            <Button
              className="plain"
              aria-label={`${words.close}: ${nameOfJob(job)}`}
              onPress={() => setClosed(new Set([...closed, job.id]))}
            >
              ✕
            </Button>
          )}
        </div>
      ))}
      {open && (
        <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={() => setOpen(null)}>
          <Modal className="modal">
            <Dialog>
              <Heading slot="title">{nameOfJob(open)}</Heading>
              <JobProgress first={open} close={() => setOpen(null)} />
            </Dialog>
          </Modal>
        </ModalOverlay>
      )}
    </section>
  );
}

const isOver = ({ status }: Job): boolean => status === 'done' || status === 'failed' || status === 'canceled';

/** How far a job is; at its end, what it refused and why. */
export function JobProgress({ first, close }: { first: Job; close(): void }) {
  const words = useWords();
  const queries = useQueryClient();
  const { session } = useRouteContext({ from: '__root__' });
  const { id } = first;
  const look = useQuery({
    queryKey: ['job', id],
    queryFn: async () => {
      const job = await session.api.get('/jobs/{id}', { id });
      if (isOver(job)) for (const queryKey of [['list'], JOBS]) await queries.invalidateQueries({ queryKey });
      return job;
    },
    initialData: first,
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : LOOK_MILLISECONDS),
  });
  const stop = useMutation({ mutationFn: () => session.api.post('/jobs/{id}/cancel', null, { id }) });
  const file = useMutation({
    mutationFn: () => session.api.bytes('/jobs/{id}/file', 'application/octet-stream', { id }),
    onSuccess: ({ bytes, name }) => saveFile(bytes, name ?? `job-${id}.csv`),
  });
  const job = look.data;
  return (
    <>
      <ProgressBar value={job.done} maxValue={job.total ?? 1} isIndeterminate={job.total === null}>
        <Label>{howFar(words.acts, job)}</Label>
        <progress value={job.total === null ? undefined : job.done} max={job.total ?? 1} aria-hidden="true" />
      </ProgressBar>
      {job.problem && <ErrorNote error={job.problem} />}
      {isOver(job) && <Refused job={job} />}
      {[look, stop, file].map(({ error }) => error && <ErrorNote key={error.message} error={error} />)}
      <div className="buttons">
        {!isOver(job) && (
          <Button className="secondary" onPress={() => stop.mutate()}>
            {words.acts.stop}
          </Button>
        )}
        {job.file && (
          <Button className="secondary" onPress={() => file.mutate()} isPending={file.isPending}>
            {words.acts.file}
          </Button>
        )}
        <Button className="secondary" onPress={close}>
          {words.close}
        </Button>
      </div>
    </>
  );
}

function howFar(words: ActWords, { status, done, total, refused_count: refused }: Job): string {
  if (status === 'queued') return words.waiting;
  if (status === 'done' && refused > 0)
    return fill(words.doneSome, { done: done - refused, total: total ?? done, refused });
  const text = status === 'running' ? words.progress : words[status];
  return fill(text, { done, total: total ?? '…' });
}

/** The titles of the objects that a job refused, and what its reasons call them. */
function useTitles({ list, refused }: Job) {
  const words = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const kind = list === null ? undefined : kindOfList(list);
  const ids = refused.map(({ id }) => id).join();
  return useQuery({
    queryKey: ['titles', list, ids],
    queryFn: async ({ signal }) => {
      const query = { 'filter[id][in]': ids, ...(kind?.expand.includes('customer') ? { expand: 'customer' } : {}) };
      const { rows } = kind ? await readPage(session, kind.list, { query, per_page: 100, signal }) : { rows: [] };
      return new Map(
        rows.flatMap((row) =>
          kind
            ? [[textOf(row, 'id'), { title: titleOf(kind, row, words.choices), named: namesIn(kind, row) }] as const]
            : [],
        ),
      );
    },
    enabled: kind !== undefined && ids !== '',
  });
}

function Refused({ job }: { job: Job }) {
  const words = useWords();
  const titles = useTitles(job);
  const acting = useActingWords();
  if (job.refused_count === 0) return <p>{words.acts.noneRefused}</p>;
  return (
    <>
      <h3>{fill(words.acts.refused, { count: job.refused_count })}</h3>
      <ul className="refused">
        {job.refused.map(({ row, id, reason }) => {
          const { title, named } = titles.data?.get(String(id)) ?? { title: String(id), named: [] };
          return (
            <li key={row}>
              <Link to="/$list/$id" params={{ list: job.list ?? '', id: String(id) }} dir="auto">
                {title}
              </Link>
              : <span dir="auto">{acting ? withNames(acting, reason, named) : reason}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** An object with the name that people know it by. */
interface Named {
  object: string;
  id: string;
  title: string;
}

/** The names of an object and of its customer. */
function namesIn(kind: Kind, row: Row): Named[] {
  const { customer } = row;
  const whole: Row = typeof customer === 'object' && customer !== null ? { ...customer } : {};
  return [
    { object: kind.object, id: textOf(row, 'id'), title: kind.title(row) },
    { object: 'customer', id: textOf(whole, 'id'), title: textOf(whole, 'name') },
  ];
}

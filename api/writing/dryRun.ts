import type { Presented } from '../../billing/json.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import type { EntityManager } from '../../db/orm.ts';
import { inDryRun } from '../../db/transaction.ts';
import { schemaOf } from '../body/documented.ts';
import * as fields from '../body/fields.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import type { Kind } from '../framework/kind.ts';
import { readParameter } from '../framework/resource.ts';
import { type QueryParameter, type Reply, reply } from '../framework/route.ts';
import { inTurn } from '../limits/foreseeing.ts';
import { requireMatch } from './matching.ts';
import { type Write, write } from './write.ts';

/** Maximum number of invoices of a dry run. */
export const MOST_INVOICES = 36;

const field = fields.described(
  fields.wholeNumber(1, MOST_INVOICES),
  'Number of invoices to foresee. Makes the request a dry run: nothing is stored or sent, and its `Idempotency-Key` stays free. `expand` and `include` have no effect then',
  12,
);

const flag = fields.described(
  fields.boolean,
  'Makes the request a dry run: nothing is stored or sent, and its `Idempotency-Key` stays free. `expand` has no effect then',
  true,
);

const picture = fields.described(
  fields.boolean,
  'Whether the answer to a dry run has a picture of the pages. It shows the number that the document would get now',
  true,
);

/** Query parameters of a route that has a dry run. */
export function dryRunParameters({
  isCounted = true,
  hasPicture = false,
}: Pick<DryRun<never, never>, 'isCounted' | 'hasPicture'>): Record<string, QueryParameter> {
  const pictured = hasPicture ? { picture: { schema: schemaOf(picture) } } : {};
  return { dry_run: { schema: schemaOf(isCounted ? field : flag) }, ...pictured };
}

/** A change that is made and then rolled back. */
export interface Tried<Input, Result> {
  /** Input of the route's command. */
  input: Input;
  /** Value of `dry_run`; 1 if it counts nothing. */
  count: number;
  /** Whether the request asks for a picture. */
  isPictured: boolean;
  /** Runs the route's command. `shown`: the body of its answer. */
  change(): Promise<{ result: Result; shown: Presented }>;
}

/** The body of the answer, or a function that completes it after the transaction. */
type Foreseen = Presented | (() => Promise<Presented>);

/** How a route answers a request with `dry_run=N`. */
export interface DryRun<Input, Result> {
  /** Kind of the answer. */
  kind: Kind;
  /** Whether the value of `dry_run` is a number of invoices. Absent: it is. */
  isCounted?: boolean;
  /** Whether a request may ask for a picture. */
  hasPicture?: boolean;
  /** Whether it looks far ahead: few are answered at a time, so that its locks hold up no writes. Absent: no. */
  isLong?: boolean;
  /** Makes the change. */
  answer(em: EntityManager, tried: Tried<Input, Result>, systemNow: Date): Promise<Foreseen>;
}

/** A write that may have a dry run. */
export interface WriteWithDryRun<Input, Result> extends Write<Result> {
  /** Absent: it has no dry run. */
  dryRun: DryRun<Input, Result> | undefined;
  input: Input;
  present(result: Result): Presented;
}

/** Handles a write, or its dry run if the request has `dry_run`. */
export function writeOrDryRun<Input, Result>(
  request: ApiRequest,
  rule: WriteWithDryRun<Input, Result>,
): Promise<Reply> {
  const { dryRun, input, command, present } = rule;
  const text = request.query.get('dry_run');
  const count = dryRun && text !== null ? countIn(text, dryRun) : 0;
  const asked = dryRun?.hasPicture ? request.query.get('picture') : null;
  const isPictured = asked !== null && readParameter(picture, asked, 'picture');
  if (!dryRun || count === 0) return write(request, rule);
  const answer = () =>
    answerDryRun(request, (em, caller, systemNow) => {
      const change = async () => {
        const result = await command(em, caller, systemNow);
        await em.write();
        return { result, shown: present(result) };
      };
      return dryRun.answer(em, { input, count, isPictured, change }, systemNow);
    });
  return dryRun.isLong ? inTurn(request.caller.account.id, answer) : answer();
}

/** The number in `dry_run`; 0: it is no dry run. */
function countIn(text: string, { isCounted = true }: { isCounted?: boolean }): number {
  if (isCounted) return readParameter(field, text, 'dry_run');
  return readParameter(flag, text, 'dry_run') ? 1 : 0;
}

/** Runs work, answers with its result, and rolls its transaction back. Does not poke the relay. Ignores the Idempotency-Key. */
export async function answerDryRun(
  request: ApiRequest,
  work: (em: EntityManager, caller: Caller, systemNow: Date) => Promise<Foreseen>,
): Promise<Reply> {
  const { deps, caller } = request;
  const foreseen = await inDryRun(deps.em, async (em) => {
    const systemNow = deps.systemNow();
    await requireMatch(em, request, systemNow);
    return work(em, caller, systemNow);
  });
  return reply(200, isUnfinished(foreseen) ? await foreseen() : foreseen);
}

function isUnfinished(foreseen: Foreseen): foreseen is () => Promise<Presented> {
  return typeof foreseen === 'function';
}

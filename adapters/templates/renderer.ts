import type { TemplateRenderer, TemplateResult, TemplateTask } from '../../commands/ports/ports.ts';
import type { Program } from '../children/child.ts';
import { createPool } from '../children/pool.ts';

export interface TemplateRendererOptions {
  /** Path of the program of the child processes. */
  file: string;
  /** The public origin of the deployment. */
  origin: string;
  /** Maximum number of templates at a time. Default: 2. */
  children?: number;
  /** Maximum CPU time for one template, milliseconds. */
  processorTime?: number;
  /** Maximum resident memory of a child, MiB. */
  memory?: number;
}

/** Default limits of one template: CPU time in milliseconds, resident memory of its child in MiB. */
export const TEMPLATE_LIMITS = { processorTime: 3000, memory: 320 };

/** The heap of a child, MiB. A template that needs more ends its child before the machine notices. */
const HEAP = 128;

/** How long a child may take by the clock, and how long a template waits for a child, milliseconds. */
const [DEADLINE, PATIENCE] = [30_000, 10_000];

/** Checks and renders templates in child processes. */
export function createTemplateRenderer(options: TemplateRendererOptions): TemplateRenderer & { close(): void } {
  const { file, origin, children = 2 } = options;
  const { processorTime, memory } = { ...TEMPLATE_LIMITS, ...options };
  const program: Program = {
    file,
    nodeArguments: [`--max-old-space-size=${HEAP}`],
    environment: {},
    words: { product: 'mail', plural: 'mails', maker: 'template' },
  };
  const limits = { processorTime, memory, deadline: DEADLINE };
  const kept = { children, patience: PATIENCE, mostWaiting: 50, idle: 60_000, limits };
  const pool = createPool<TemplateTask, TemplateResult>(program, kept);
  return {
    check: async (checked, accountId) => {
      const result = await pool.run({ kind: 'check', origin, ...checked }, accountId);
      return 'mistake' in result ? result.mistake : null;
    },
    render: async (source, view, accountId) => {
      const result = await pool.run({ kind: 'render', origin, source, view }, accountId);
      return 'rendered' in result ? result.rendered : {};
    },
    close: pool.close,
  };
}

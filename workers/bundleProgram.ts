import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** `node bundleProgram.ts <folder of workflows> <file to write>`: writes the bundle atomically. */
const [folder = '', target = ''] = process.argv.slice(2);
const { code } = await bundleWorkflowCode({
  workflowsPath: join(folder, 'index.ts'),
  workflowInterceptorModules: [join(folder, 'trace.ts')],
  logger: new DefaultLogger('WARN'),
});
const unfinished = `${target}.${process.pid}`;
writeFileSync(unfinished, code);
renameSync(unfinished, target);

import { serveTasks } from '../children/serve.ts';
import type { Paper, Task } from './renderer.ts';
import { createTypst } from './typst.ts';

serveTasks<Task, Paper>(createTypst());

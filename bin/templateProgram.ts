import { serveTasks } from '../adapters/children/serve.ts';
import { workOn } from '../present/templates/task.ts';

serveTasks(workOn);

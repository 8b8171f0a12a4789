import type { Campaign } from '../campaign';
import { clocks } from './clocks';
import { diskFull } from './disk-full';
import { freezes } from './freezes';
import { gatewayKill } from './gateway-kill';
import { postgresOutage } from './postgres-outage';
import { powerCut } from './power-cut';
import { receivers } from './receivers';
import { rollingDeploy } from './rolling-deploy';
import { rollingKills } from './rolling-kills';
import { temporalOutage } from './temporal-outage';
import { upgrade } from './upgrade';
import { workerKill } from './worker-kill';
import { workflowChange } from './workflow-change';

/** All of them, as `npm run chaos` lists them. */
export const CAMPAIGNS: readonly Campaign[] = [
  workerKill,
  gatewayKill,
  temporalOutage,
  postgresOutage,
  rollingKills,
  powerCut,
  receivers,
  freezes,
  upgrade,
  rollingDeploy,
  workflowChange,
  clocks,
  diskFull,
];

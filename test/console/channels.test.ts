import { channels } from './channels';
import { payers } from './payers';
import { providers } from './providers';
import { resellers } from './resellers';
import { consoleSuite } from './suite';

// Resellers first: they expect the demo's fee.
consoleSuite('resellers, channels, providers and payers', [resellers, channels, providers, payers]);

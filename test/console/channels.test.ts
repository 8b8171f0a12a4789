import { channels } from './channels';
import { providers } from './providers';
import { resellers } from './resellers';
import { consoleSuite } from './suite';

// Resellers first: they expect the demo's fee.
consoleSuite('resellers, channels and providers', [resellers, channels, providers]);

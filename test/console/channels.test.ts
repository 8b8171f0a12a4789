import { channels } from './channels';
import { providers } from './providers';
import { resellers } from './resellers';
import { consoleSuite } from './suite';

// Resellers first: they reckon with the fee of the demo.
consoleSuite('resellers, channels and providers', [resellers, channels, providers]);

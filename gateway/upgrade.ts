import { IncomingMessage } from 'node:http';

const STREAM = /^\/cashier\/[^/?]+\/stream(?:\?|$)/;

/**
 * A request as Node reads it. Node hands every request that asks for another protocol to the upgrade listener, but some
 * HTTP clients ask for HTTP/2 with every request. So only requests for the payer's WebSocket count as upgrades; all
 * others are answered as if they had not asked, as HTTP allows. A tunnel (CONNECT) is never opened.
 */
export class PublicRequest extends IncomingMessage {
  private asksForUpgrade = false;

  /** Set by Node's parser, and read by it once the headers have arrived. */
  get upgrade(): boolean {
    return (
      this.asksForUpgrade &&
      (this.method === 'CONNECT' ||
        (this.method === 'GET' && this.headers.upgrade?.toLowerCase() === 'websocket' && STREAM.test(this.url ?? '')))
    );
  }

  set upgrade(asks: boolean | null) {
    this.asksForUpgrade = asks === true;
  }
}

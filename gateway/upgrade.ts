import { IncomingMessage } from 'node:http';

const STREAM = /^\/cashier\/[^/?]+\/stream(?:\?|$)/;

/**
 * A request as Node reads it. Node hands each request that asks for another protocol to the one listener for that, if
 * there is one; but some HTTP clients ask for HTTP/2 with every request. So only what asks for the payer's WebSocket
 * says that it does, and all else is answered as if it had not asked, as HTTP allows. A tunnel is not: what came behind
 * such a request is none.
 */
export class PublicRequest extends IncomingMessage {
  private asksForUpgrade = false;

  /** Set by Node's parser, and read by it once the headers are there. */
  get upgrade(): boolean {
    return (
      this.asksForUpgrade &&
      (this.method === 'CONNECT' ||
        (this.method === 'GET' &&
          this.headers.upgrade?.toLowerCase() === 'websocket' &&
          STREAM.test(this.url ?? '')))
    );
  }

  set upgrade(asks: boolean | null) {
    this.asksForUpgrade = asks === true;
  }
}

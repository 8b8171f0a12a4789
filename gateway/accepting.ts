/** As many as the listener's queue holds (Node's default): more were not waiting when the first one was accepted. */
const MOST_IN_A_ROW = 511;

/**
 * Lets connections that wait be accepted before requests begin. libuv accepts one connection a turn of the event loop; if
 * each turn also ran the requests of all accepted ones, the last of a few hundred that come at once would wait for
 * seconds, while the first were answered again and again.
 */
export class Accepting {
  private readonly held: (() => void)[] = [];
  private inARow = 0;
  private watching = false;
  private acceptedThisTurn = false;

  /** A connection was accepted. */
  accepted(): void {
    this.inARow += 1;
    this.acceptedThisTurn = true;
    if (!this.watching) this.watch();
  }

  /** Runs a request now, or once a turn has passed without a new connection. */
  run(request: () => void): void {
    if (this.watching) this.held.push(request);
    else request();
  }

  private watch(): void {
    this.watching = true;
    this.acceptedThisTurn = false;
    setImmediate(() => {
      // The next turn shows whether another connection waits.
      setImmediate(() => {
        if (this.acceptedThisTurn && this.inARow < MOST_IN_A_ROW) this.watch();
        else this.release();
      });
    });
  }

  private release(): void {
    this.watching = false;
    this.inARow = 0;
    for (const request of this.held.splice(0)) request();
  }
}

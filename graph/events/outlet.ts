import type { Socket } from 'node:net';

/** What an outlet needs of a `ws` socket. */
interface WebSocketState {
  readonly readyState: number;
  readonly OPEN: number;
}

/** The connections that gather the frames of this turn. */
let gathering: Socket[] = [];

function letGo(): void {
  const full = gathering;
  gathering = [];
  for (const raw of full) raw.uncork();
}

/**
 * Writes ready frames to a WebSocket, past `ws`, which would make each frame again and write its header apart. `ws`
 * writes each of its own frames whole, so the two never mix, as long as nothing is compressed. The frames of one turn
 * leave in one write.
 */
export class Outlet {
  private emptied: Promise<void> | undefined;

  /** @param raw the connection below the WebSocket */
  constructor(
    private readonly socket: WebSocketState,
    private readonly raw: Socket,
  ) {}

  /** Sends a frame, unless the socket is closing. */
  send(frame: Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN || !this.raw.writable) return;
    // Nothing else of ours keeps it corked beyond a call.
    if (this.raw.writableCorked === 0) {
      this.raw.cork();
      if (gathering.push(this.raw) === 1) process.nextTick(letGo);
    }
    this.raw.write(frame);
  }

  /** Whether the client reads more slowly than we write: then wait for `drained`. */
  get isFull(): boolean {
    return this.raw.writableNeedDrain;
  }

  /** Resolves once the client has read what waits, or has gone. */
  async drained(): Promise<void> {
    if (!this.isFull || this.raw.destroyed) return;
    this.emptied ??= new Promise((resolve) => {
      const done = (): void => {
        this.raw.off('drain', done).off('close', done);
        this.emptied = undefined;
        resolve();
      };
      this.raw.on('drain', done).on('close', done);
    });
    await this.emptied;
  }
}

/** News that end a wait, also news that came before it began. */
export class News {
  private came = false;
  private wake: (() => void) | undefined;

  tell(): void {
    this.came = true;
    this.wake?.();
  }

  /** Call before looking: news from now on end the next wait. */
  lookingNow(): void {
    this.came = false;
  }

  /** Waits for news, at most this long. @param ms milliseconds */
  async within(ms: number): Promise<void> {
    if (this.came) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
  }
}

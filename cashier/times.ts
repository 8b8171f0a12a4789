/** Times in the payer's own time zone: the server knows only UTC. */
export function writeLocalTimes(): void {
  const format = new Intl.DateTimeFormat(`${document.documentElement.lang}-u-nu-latn-ca-gregory`, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]'))
    time.textContent = format.format(new Date(time.dateTime));
}

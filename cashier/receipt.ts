/** A receipt is readable at this size; a phone's camera makes ten times as much. */
const LONGEST_SIDE = 1_600;
const QUALITY = 0.8;
/** Smaller files are sent unchanged, bytes. */
const SMALL = 300_000;

async function shrink(file: File): Promise<File> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', QUALITY);
  });
  return blob && blob.size < file.size ? new File([blob], 'receipt.jpg', { type: blob.type }) : file;
}

/** Shrinks pictures before they are sent over a slow line. */
export function shrinkReceipts(): void {
  addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'file') return;
    const [file] = target.files ?? [];
    if (!file || file.size <= SMALL) return;
    shrink(file).then(
      (small) => {
        const files = new DataTransfer();
        files.items.add(small);
        target.files = files.files;
      },
      // The server refuses files that are not pictures.
      () => undefined,
    );
  });
}

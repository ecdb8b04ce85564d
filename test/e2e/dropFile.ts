// A file that is dropped on the page, as from a folder of the desktop.
import type { Page } from 'playwright-core';

export async function dropFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.evaluate(
    ({ name: fileName, base64 }) => {
      const contents = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([contents], fileName));
      for (const type of ['dragenter', 'dragover', 'drop']) {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        document.querySelector('main')?.dispatchEvent(event);
      }
    },
    { name, base64: bytes.toString('base64') },
  );
}

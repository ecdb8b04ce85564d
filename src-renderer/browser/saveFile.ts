// Hands what the page has made to the browser as a file that it downloads.

export function saveText(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: 'text/plain' }));
}

/** A name in letters that every system takes. */
export function fileName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

export function saveFile(name: string, contents: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(contents);
  link.download = name;
  link.click();
  // Why later: the download begins after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Hands a text to the browser as a file that it downloads.

export function saveText(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  // Why later: the download begins after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

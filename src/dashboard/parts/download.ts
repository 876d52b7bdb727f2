// A file that the page made, for its reader to keep.
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has its own hold of it by then.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

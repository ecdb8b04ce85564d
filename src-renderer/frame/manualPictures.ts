// Pictures of the manual, which the build puts beside the page. Why not from the host: the content policy of the page
// shows files of its own address only.
const pictures = import.meta.glob<string>('../../assets/pictures/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Address of a picture by its path in a page of the manual, '../pictures/NAME.png'; null: there is none. */
export function manualPicture(path: string): string | null {
  return pictures[path.replace('../', '../../assets/')] ?? null;
}

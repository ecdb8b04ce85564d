// Errors of node:fs, in words.

/** Why an operation failed, without the file's name where the reason is a usual one. */
export function failureReason(error: unknown): string {
  if (isForbidden(error)) return 'this account has no permission';
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EROFS' ? 'its file system is read-only' : message;
}

/** The account may not do it. */
export function isForbidden(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM';
}

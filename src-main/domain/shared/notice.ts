// A remark on a document that can be used as it is.

/** `path` as that of a problem. */
export interface Notice {
  path: string;
  message: string;
}

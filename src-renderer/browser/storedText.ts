// Texts that this browser keeps for the page: permanently, or as long as its tab is open. A browser that keeps nothing
// (blocked, full) is no error: the page works without.

export interface StoredText {
  /** Null: nothing is stored. */
  read(): string | null;
  /** Null: nothing. @returns false: it is not stored, nor what was there before */
  write(text: string | null): boolean;
}

/** One name for each value: 'theme' is stored as 'understory.theme'. */
export function storedInBrowser(name: string): StoredText {
  return storedIn(() => localStorage, name);
}

/** Over a reload of the page, in this tab alone. */
export function storedInTab(name: string): StoredText {
  return storedIn(() => sessionStorage, name);
}

function storedIn(storage: () => Storage, name: string): StoredText {
  const key = `understory.${name}`;
  return {
    read() {
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    write(text) {
      try {
        // Why first: what is too long must not leave something older in its place.
        storage().removeItem(key);
        if (text !== null) storage().setItem(key, text);
        return true;
      } catch {
        return false;
      }
    },
  };
}

// Texts that this browser keeps for the page: for good, or as long as its tab is open. A browser that keeps nothing
// (blocked, full) is no error: the page works, and forgets.

export interface Kept {
  /** Null: nothing is kept. */
  read(): string | null;
  /** Null: nothing. @returns false: it is not kept, nor what was there before */
  write(text: string | null): boolean;
}

/** One name is one thing: 'theme' is kept as 'understory.theme'. */
export function keptInBrowser(name: string): Kept {
  return keptIn(() => localStorage, name);
}

/** Over a reload of the page, in this tab alone. */
export function keptInTab(name: string): Kept {
  return keptIn(() => sessionStorage, name);
}

function keptIn(storage: () => Storage, name: string): Kept {
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

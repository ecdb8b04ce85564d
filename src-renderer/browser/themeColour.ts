// Colours of the theme that is shown (styles/tokens.css).

/** Reads them by the names of their properties, such as '--accent'; '' where there is none. */
export function themeColours(): (name: string) => string {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(name).trim();
}

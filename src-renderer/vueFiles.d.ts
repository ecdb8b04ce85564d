// A .vue file for tools that read TypeScript only; vue-tsc sees the real types.
declare module '*.vue' {
  import type { Component } from 'vue';
  const component: Component;
  export default component;
}

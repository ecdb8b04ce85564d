// What every control of a field says of it: its id for the label, whether it is wrong and where that is told.
export interface InputAttributes {
  id?: string | undefined;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  'data-test': string;
}

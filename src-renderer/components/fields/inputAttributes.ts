// Attributes of every control of a field: its id for the label, whether it is invalid and where the error is shown.
export interface InputAttributes {
  id?: string | undefined;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  'data-test': string;
}

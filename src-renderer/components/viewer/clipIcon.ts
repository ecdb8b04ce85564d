/** Path of the icon of clipping: a box in perspective. */
export const clipIcon = 'M2 5l6-3 6 3v6l-6 3-6-3zM2 5l6 3 6-3M8 8v6';

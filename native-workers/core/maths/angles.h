// Angles without the C library: the same bits with each of its versions, and many side by side.
#pragma once

namespace understory {

// The angle whose sine and cosine are in this proportion, from 0 to pi/2, within 2e-7. Both at least 0, not both 0.
// Series: Cephes' atanf, for quotients up to tan(pi/8); above it the tangent of the angle less pi/4. Without a branch,
// so that a loop over it is vectorised.
inline float angleOf(float sine, float cosine) {
  const float larger = sine > cosine ? sine : cosine;
  const float smaller = sine > cosine ? cosine : sine;
  const bool isSteep = smaller > 0.41421356F * larger;
  const float quotient =
      (isSteep ? smaller - larger : smaller) / (isSteep ? smaller + larger : larger);
  const float square = quotient * quotient;
  const float series =
      ((8.05374449538e-2F * square - 1.38776856032e-1F) * square + 1.99777106478e-1F) * square -
      3.33329491539e-1F;
  const float angle = series * square * quotient + quotient + (isSteep ? 0.78539816F : 0.0F);
  return sine > cosine ? 1.57079633F - angle : angle;
}

}  // namespace understory
